/** Geometry of small charts of time, in units of a view box. */

export const CHART = { width: 600, height: 160 } as const;

export type Values = readonly (number | null)[];

/** The highest of all values, at least 1, so that a chart has a scale. */
export function highest(...series: Values[]): number {
  return series.flat().reduce<number>((most, value) => Math.max(most, value ?? 0), 1);
}

/** Runs of points that were measured, as indexes; between two runs is a gap. */
export function runs(values: Values): { first: number; values: number[] }[] {
  const found: { first: number; values: number[] }[] = [];
  let open: { first: number; values: number[] } | undefined;
  for (const [index, value] of values.entries()) {
    if (value === null) open = undefined;
    else if (open) open.values.push(value);
    else {
      open = { first: index, values: [value] };
      found.push(open);
    }
  }
  return found;
}

/** SVG paths of a series: a line for each run, and the area below it. A single point is as wide as its minute. */
export function paths(values: Values, scale: number): { line: string; area: string } {
  const step = CHART.width / Math.max(1, values.length);
  const y = (value: number) => CHART.height * (1 - value / scale);
  const at = (index: number, value: number) => `${round(index * step)} ${round(y(value))}`;
  const lines = runs(values).map(({ first, values: measured }) => {
    const points = measured.map((value, place) => at(first + place, value));
    const last = measured.at(-1) ?? 0;
    points.push(at(first + measured.length, last));
    return { first, end: first + measured.length, points };
  });
  return {
    line: lines.map(({ points }) => `M${points.join('L')}`).join(''),
    area: lines
      .map(({ first, end, points }) => `M${at(first, 0)}L${points.join('L')}L${at(end, 0)}Z`)
      .join(''),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
