// A small JSON Schema (2020-12) checker for the words our schema uses; any other word is an error, so that the schema
// cannot outgrow the check.

type Schema = Record<string, unknown>;

const ANNOTATIONS = new Set(['$schema', 'title', 'description', 'default']);

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** Whether the value satisfies the schema. */
export function satisfies(schema: Schema | boolean, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema;
  return Object.entries(schema).every(
    ([word, rule]) => ANNOTATIONS.has(word) || satisfiesRule(schema, word, rule, value),
  );
}

function satisfiesRule(schema: Schema, word: string, rule: unknown, value: unknown): boolean {
  const bound = rule as number;
  const branches = rule as Schema[];
  const isNumber = typeof value === 'number';
  const object = typeOf(value) === 'object' ? (value as Record<string, unknown>) : undefined;
  switch (word) {
    case 'type':
      return rule === 'integer' ? Number.isInteger(value) : typeOf(value) === rule;
    case 'const':
      return value === rule;
    case 'enum':
      return (rule as unknown[]).includes(value);
    case 'minimum':
      return !isNumber || value >= bound;
    case 'maximum':
      return !isNumber || value <= bound;
    case 'exclusiveMinimum':
      return !isNumber || value > bound;
    case 'minLength':
      return typeof value !== 'string' || value.length >= bound;
    case 'maxLength':
      return typeof value !== 'string' || value.length <= bound;
    case 'minItems':
      return !Array.isArray(value) || value.length >= bound;
    case 'maxItems':
      return !Array.isArray(value) || value.length <= bound;
    case 'prefixItems':
      return !Array.isArray(value) || branches.every((item, i) => i >= value.length || satisfies(item, value[i]));
    case 'items': {
      const first = ((schema.prefixItems as unknown[]) ?? []).length;
      return !Array.isArray(value) || value.slice(first).every((item) => satisfies(rule as Schema, item));
    }
    case 'required':
      return !object || (rule as string[]).every((name) => Object.hasOwn(object, name));
    case 'properties':
      return (
        !object ||
        Object.entries(rule as Schema).every(
          ([name, property]) => !Object.hasOwn(object, name) || satisfies(property as Schema, object[name]),
        )
      );
    case 'additionalProperties':
      return (
        !object ||
        Object.keys(object).every(
          (name) => Object.hasOwn(schema.properties as Schema, name) || satisfies(rule as Schema, object[name]),
        )
      );
    case 'anyOf':
      return branches.some((branch) => satisfies(branch, value));
    case 'oneOf':
      return branches.filter((branch) => satisfies(branch, value)).length === 1;
    case 'not':
      return !satisfies(rule as Schema, value);
    default:
      throw new Error(`the schema uses "${word}", which the check does not know`);
  }
}
