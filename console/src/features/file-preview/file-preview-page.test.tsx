import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import FilePreviewPage from './file-preview-page';

it('shows the file that the viewer chooses, and another after it', async () => {
  await renderInFrame(<FilePreviewPage />);
  expect(await screen.findByText('No file chosen')).toBeInTheDocument();
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  await userEvent.upload(input, new File(['city\nOslo\n'], 'cities.csv'));
  expect(await screen.findByRole('cell', { name: 'Oslo' })).toBeInTheDocument();
  await userEvent.upload(input, new File(['# Guide'], 'guide.md'));
  expect(await screen.findByRole('heading', { name: 'Guide' })).toBeInTheDocument();
  await userEvent.upload(input, new File(['PAR1\0'], 'orders.parquet'));
  expect(await screen.findByText(/cannot be shown/)).toBeInTheDocument();
});
