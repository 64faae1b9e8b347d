import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { prepareClient } from '@/shared/api/client';
import { renderInFrame } from '@/testing/render';
import FilePreviewPage from './file-preview-page';

prepareClient();

afterEach(() => vi.unstubAllGlobals());

it('shows the file that the viewer chooses, and another after it', async () => {
  await renderInFrame(<FilePreviewPage />);
  expect(await screen.findByText('No file chosen')).toBeInTheDocument();
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  await userEvent.upload(input, new File(['city\nOslo\n'], 'cities.csv'));
  expect(await screen.findByRole('cell', { name: 'Oslo' })).toBeInTheDocument();
  await userEvent.upload(input, new File(['# Guide'], 'guide.md'));
  expect(await screen.findByRole('heading', { name: 'Guide' })).toBeInTheDocument();
  await userEvent.upload(input, new File(['PK\0'], 'orders.zip'));
  expect(await screen.findByText(/cannot be shown/)).toBeInTheDocument();
});

it('shows the sheets that the server reads, one at a time', async () => {
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const sheet = new URL(request.url).searchParams.get('sheet') || 'First';
    asked.push(sheet);
    const found = {
      kind: 'workbook',
      sheets: ['First', 'Second'],
      sheet,
      columns: [{ name: 'AA', type: '' }],
      totalColumns: 200,
      rows: [{ line: 3, values: [`cell of ${sheet}`] }],
      totalRows: 900,
    };
    return Response.json({ code: 200, msg: '', data: found });
  });
  await renderInFrame(<FilePreviewPage />);
  await screen.findByText('No file chosen');
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  await userEvent.upload(input, new File(['PK\u0003\u0004'], 'orders.xlsx'));
  expect(await screen.findByRole('cell', { name: 'cell of First' })).toBeInTheDocument();
  expect(screen.getByText('The first 1 of 200 columns')).toBeInTheDocument();
  expect(screen.getByText('The first 1 of 900 rows')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('combobox', { name: 'Sheet' }));
  await userEvent.click(await screen.findByTitle('Second'));
  expect(await screen.findByRole('cell', { name: 'cell of Second' })).toBeInTheDocument();
  expect(asked).toEqual(['First', 'Second']);
});
