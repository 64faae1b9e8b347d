import { expect, it } from 'vitest';
import { toYaml } from './yaml';

it('writes a link as a person would', () => {
  const text = toYaml({
    link: '订单 copy',
    source: { kind: 'postgresql', host: '127.0.0.1', port: 5432, password: { env: 'SRC_PASSWORD' } },
    tables: ['public.*', '!public.audit_*', { source: 'public.log', key: ['at', 'no'], columns: {} }],
    load: 'full+incremental',
  });
  expect(text).toBe(`link: 订单 copy
source:
  kind: postgresql
  host: "127.0.0.1"
  port: 5432
  password:
    env: SRC_PASSWORD
tables:
  - "public.*"
  - "!public.audit_*"
  - source: public.log
    key:
      - at
      - "no"
    columns: {}
load: full+incremental
`);
});

it('quotes what YAML would read as something else', () => {
  for (const text of [
    'true',
    'No',
    'null',
    '1e3',
    '',
    ' x',
    'a: b',
    'a #b',
    '- a',
    '1.5',
    '.inf',
    '*a',
    'x:',
    '0x1f',
    '2026-01-01',
  ])
    expect(toYaml({ text })).toBe(`text: ${JSON.stringify(text)}\n`);
});

it('leaves out what is not there', () => {
  expect(toYaml({ a: undefined, b: [] })).toBe('b: []\n');
});
