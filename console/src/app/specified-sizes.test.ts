import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ELLIPSIS_LENGTH } from '@/shared/lib/text';

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
