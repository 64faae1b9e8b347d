import { expect, it } from 'vitest';
import { CLICK_DELAY } from './click';
import { DRAG_THRESHOLD, placeNodes, zoomed } from './graph';

const nodes = ['source', 'publish', 'one', 'two'].map((id) => ({ id, title: id }));
const edges = [
  { from: 'source', to: 'publish' },
  { from: 'publish', to: 'one' },
  { from: 'publish', to: 'two' },
];

it('stands from left to right in the order of the flow, side by side where it parts', () => {
  const places = placeNodes(nodes, edges);
  const x = (id: string) => places.get(id)?.x ?? 0;
  expect(x('source')).toBeLessThan(x('publish'));
  expect(x('publish')).toBeLessThan(x('one'));
  expect(x('one')).toBe(x('two'));
  expect(places.get('one')?.y).not.toBe(places.get('two')?.y);
});

it('leaves out lines to boxes that are not there', () => {
  expect(placeNodes(nodes, [{ from: 'source', to: 'gone' }]).size).toBe(4);
});

it('zooms by 0.1 from 0.3 to 3, from whatever was between', () => {
  expect(zoomed(1, 1)).toBe(1.1);
  expect(zoomed(0.87, -1)).toBe(0.8);
  expect(zoomed(0.3, -1)).toBe(0.3);
  expect(zoomed(3, 1)).toBe(3);
});

it('a click counts after 260 ms, and a box moves after 5 pixels', () => {
  expect(CLICK_DELAY).toBe(260);
  expect(DRAG_THRESHOLD).toBe(5);
});
