import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { currentLocale } from '@/shared/i18n/locale';
import { time } from '@/shared/lib/figures';
import { ELLIPSIS_LENGTH } from '@/shared/lib/text';
import { genericPageSizes, pageSizes } from '@/shared/ui/data-table/table-state';

const source = join(import.meta.dirname, '..');

/** The declarations of one rule of a style sheet. */
function rule(file: string, selector: string): string {
  const text = readFileSync(join(source, file), 'utf8');
  const begin = text.indexOf(`\n${selector} {`);
  return text.slice(begin, text.indexOf('}', begin));
}

it('cards of data source types stand in three columns', () => {
  const cards = rule('shared/widgets/data-source/kind-picker.css', '.kind-cards');
  expect(cards).toContain('grid-template-columns: repeat(3, minmax(0, 1fr));');
});

it('the side menu is 205 pixels wide', () => {
  expect(rule('app/frame/frame.css', '.frame-side')).toContain('width: 205px;');
});

it('the theme colour is #1890ff', () => {
  const colours = readFileSync(join(source, 'shared/theme/colours.css'), 'utf8');
  expect(colours).toMatch(/--primary: #1890ff;/);
});

it('texts of cells are cut behind 25 characters', () => {
  expect(ELLIPSIS_LENGTH).toBe(25);
});

it('lists have pages of 20 to 1000 rows, the generic table of 20, 100, 1000 or all', () => {
  expect(pageSizes).toEqual([20, 50, 100, 300, 500, 1000]);
  expect(genericPageSizes).toEqual([20, 100, 1000, -1]);
});

it('the kit draws small', () => {
  expect(readFileSync(join(source, 'app/frame/frame.tsx'), 'utf8')).toContain('componentSize="small"');
});

it('moments are written as yyyy-MM-dd hh:mm:ss', () => {
  expect(time(new Date(2026, 2, 7, 8, 9, 5))).toBe('2026-03-07 08:09:05');
});

it('the language is Chinese unless another was chosen', () => {
  vi.stubGlobal('window', { localStorage: { getItem: () => null } });
  expect(currentLocale()).toBe('zh');
  vi.unstubAllGlobals();
});
