/** The wizard's steps in their order; the names stand in the address. */
export const steps = ['source', 'target', 'tables', 'mapping', 'precheck', 'start'] as const;

export type Step = (typeof steps)[number];

export function stepOf(text: string): Step {
  return steps.find((step) => step === text) ?? 'source';
}

export function neighbourStep(step: Step, by: 1 | -1): Step | undefined {
  return steps[steps.indexOf(step) + by];
}
