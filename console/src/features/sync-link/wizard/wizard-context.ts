import { createContext, useContext } from 'react';

export interface Wizard {
  /** Undefined on the first step. */
  previous: (() => void) | undefined;
  next: () => void;
}

export const WizardContext = createContext<Wizard>({ previous: undefined, next: () => {} });

export function useWizard(): Wizard {
  return useContext(WizardContext);
}
