import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '..', '..');

/** Dark in both themes, shadows, or white on a filled button. */
const OWN_COLOURS = [
  'features/overview-monitor/overview-monitor.css',
  'features/point-to-point/point-to-point.css',
  'features/sign-in/sign-in.css',
  'shared/ui/data-table/data-table.css',
  'shared/ui/log-viewer.css',
  'shared/widgets/logs/logs.css',
  'shared/widgets/slide-verify/slide-verify.css',
  'shared/widgets/terminal/terminal.css',
];

const OTHER_VARIABLES = ['--label-width'];

const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
const read = (name: string) => readFileSync(join(source, name), 'utf8');

it('style sheets name colours by their role', () => {
  const named = files
    .filter(
      (name) => name.endsWith('.css') && name !== 'shared/theme/colours.css' && !OWN_COLOURS.includes(name),
    )
    .filter((name) => /#[0-9a-f]{3,8}\b|\brgba?\(/i.test(read(name)));
  expect(named).toEqual([]);
});

it('both themes have every colour that is used', () => {
  const [light = '', dark = ''] = read('shared/theme/colours.css').split(':root[data-theme="dark"]');
  const names = (text: string) => [...text.matchAll(/(--[\w-]+):/g)].map(([, name]) => name).sort();
  expect(names(dark)).toEqual(names(light));
  const used = files
    .filter((name) => /\.(css|tsx?)$/.test(name) && !name.includes('.test.'))
    .flatMap((name) => [...read(name).matchAll(/var\((--[\w-]+)\)/g)].map(([, variable]) => variable));
  const elsewhere = used.filter(
    (name) => name && !OTHER_VARIABLES.includes(name) && !names(light).includes(name),
  );
  expect([...new Set(elsewhere)]).toEqual([]);
});
