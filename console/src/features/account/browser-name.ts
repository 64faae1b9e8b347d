const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iOS'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

function named(agent: string, names: readonly (readonly [string, string])[]): string | undefined {
  return names.find(([mark]) => agent.includes(mark))?.[1];
}

/** Browser and system as people call them, else what the program calls itself. */
export function browserName(agent: string): string {
  const browser = named(agent, BROWSERS);
  const system = named(agent, SYSTEMS);
  return browser && system ? `${browser} (${system})` : agent;
}
