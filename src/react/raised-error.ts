// Errors of what takes time, thrown where React's error boundaries catch them.

import { useCallback, useState } from 'react';

export function useRaisedError(): (error: unknown) => void {
  const [, setError] = useState<never>();
  return useCallback((error: unknown) => {
    setError(() => {
      throw error;
    });
  }, []);
}
