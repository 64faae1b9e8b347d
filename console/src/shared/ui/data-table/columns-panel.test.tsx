import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import ColumnsPanel from './columns-panel';

const columns = [
  { key: 'path', title: 'Path', render: () => null },
  { key: 'from', title: 'From', render: () => null },
];

it.each<{ visible: Record<string, boolean>; ticked: string[] }>([
  { visible: {}, ticked: ['Path'] },
  { visible: { from: true }, ticked: ['Path', 'From'] },
])('a column without room is not ticked, until the viewer asks for it: $visible', async (one) => {
  const layout = { visible: one.visible };
  await renderInFrame(
    <ColumnsPanel columns={columns} leftOut={['from']} layout={layout} onChange={() => undefined} />,
  );
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox').filter(({ checked }) => checked);
  expect(boxes.map((box) => box.closest('label')?.textContent)).toEqual(one.ticked);
});
