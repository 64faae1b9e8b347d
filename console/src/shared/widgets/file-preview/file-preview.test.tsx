import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { FilePreview } from '.';

const blob = (text: string) => new Blob([text]);

it('shows texts, tables and articles as what they are', async () => {
  await renderInFrame(
    <>
      <FilePreview name="a.json" content={blob('{"a":1}')} />
      <FilePreview name="b.csv" content={blob('city,people\n"Oslo, N",7\n')} />
      <FilePreview name="c.md" content={blob('# Guide')} />
    </>,
  );
  expect(await screen.findByText(/"a": 1/)).toBeInTheDocument();
  expect(await screen.findByRole('cell', { name: 'Oslo, N' })).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: 'Guide' })).toBeInTheDocument();
});

it('offers to keep what it cannot show', async () => {
  await renderInFrame(<FilePreview name="a.exe" content={blob('x')} />);
  expect(await screen.findByText(/cannot be shown/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: /Download/ })).toBeInTheDocument();
});

it('shows no file that would stop the browser', async () => {
  await renderInFrame(<FilePreview name="a.txt" content={new Blob([new Uint8Array(6 * 1024 * 1024)])} />);
  expect(screen.getByText(/larger than 5 MiB/)).toBeInTheDocument();
});
