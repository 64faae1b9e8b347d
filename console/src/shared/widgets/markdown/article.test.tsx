import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { MarkdownArticle } from '.';

const source = `# Guide

## First steps
Read [the manual](https://example.com/manual) or [home](/zcbus/home),
or write to [us](mailto:help@example.com).

## First steps
| a | b |
|---|---|
| 1 | 2 |

### 全量装载
\`\`\`sql
select 1;
\`\`\`

<img src="x" onerror="alert(1)">

[run](javascript:alert(1))
`;

it('draws headings, tables, code, and a list of contents with anchors of their own', async () => {
  await renderInFrame(<MarkdownArticle source={source} contents />);
  expect(await screen.findByRole('heading', { name: 'Guide' })).toHaveAttribute('id', 'guide');
  const links = within(screen.getByRole('navigation', { name: 'Contents' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '#first-steps',
    '#first-steps-2',
    '#全量装载',
  ]);
  expect(screen.getByRole('cell', { name: '2' })).toBeInTheDocument();
  expect(screen.getByText('select 1;')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copy code' })).toBeInTheDocument();
});

it('never runs what an article brings along', async () => {
  const { container } = await renderInFrame(<MarkdownArticle source={source} />);
  await screen.findByRole('heading', { name: 'Guide' });
  expect(container.querySelector('img')).toBeNull();
  expect(screen.getByText('run').getAttribute('href')).toBeFalsy();
});

it('opens addresses of other sites in a tab of their own', async () => {
  await renderInFrame(<MarkdownArticle source={source} />);
  expect(await screen.findByRole('link', { name: 'the manual' })).toHaveAttribute(
    'rel',
    'noopener noreferrer',
  );
  expect(screen.getByRole('link', { name: 'us' })).toHaveAttribute('target', '_blank');
  expect(screen.getByRole('link', { name: 'home' })).not.toHaveAttribute('target');
});
