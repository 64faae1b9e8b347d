import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import type { Kind } from './kind';
import { carriedValues } from './kind';
import { KindPicker } from './kind-picker';

function kind(name: string, group: string, valid: 0 | 1 = 1): Kind {
  return {
    id: name,
    moduletype: name,
    label: name,
    pngpath: `/zcbus/kinds/${group}.svg`,
    ifDistributed: false,
    group,
    groupLabel: group,
    valid,
    maturity: 'tested',
    tested: `${name} 1.0`,
    source: true,
    target: true,
    capture: 'log',
    deletes: 'yes',
    delivery: 'transactional',
    preview: false,
    imports: false,
    retainsLog: false,
    repeats: false,
    grammar: 'standard',
    place: { product: name, title: '', address: '', schemas: 'many', defaultSchema: '' },
    options: [],
  };
}

const kinds = [kind('alpha', 'relational'), kind('beta', 'queue'), kind('gamma', 'relational', 0)];

it('offers all kinds first, and those of one group when it is chosen', async () => {
  await renderInFrame(<KindPicker kinds={kinds} chosen={undefined} onChoose={() => {}} />);
  expect(await screen.findAllByRole('listitem')).toHaveLength(3);
  await userEvent.click(screen.getByRole('menuitem', { name: 'queue' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
});

it('does not choose what this version does not support, and says so', async () => {
  const choose = vi.fn();
  await renderInFrame(<KindPicker kinds={kinds} chosen={undefined} onChoose={choose} />);
  const gamma = await screen.findByRole('button', { name: /gamma/ });
  act(() => gamma.focus());
  expect(gamma).not.toHaveAttribute('aria-describedby');
  await userEvent.click(gamma);
  expect(gamma).toHaveAccessibleDescription();
  expect(choose).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: /alpha/ }));
  expect(choose).toHaveBeenCalledWith(kinds[0]);
});

it('says on which servers a type is tested, and which was never tried on one', async () => {
  const preview = { ...kind('delta', 'relational'), maturity: 'preview' as const, tested: '' };
  await renderInFrame(
    <KindPicker kinds={[kinds[0] as Kind, preview]} chosen={undefined} onChoose={() => {}} />,
  );
  expect(await screen.findByRole('button', { name: /alpha/ })).toHaveTextContent('alpha 1.0');
  expect(screen.getByRole('button', { name: /delta/ })).toHaveTextContent('not tried on a server');
});

it('keeps host and user when the kind is changed, takes the new kind’s port and asks for the password again', () => {
  const option = {
    label: '',
    required: true,
    choices: [],
    minimum: 0,
    maximum: 255,
    help: '',
    identifies: true,
  };
  const mysql = {
    ...kind('mysql', 'relational'),
    options: [
      { ...option, name: 'host', type: 'text' as const, default: null },
      { ...option, name: 'port', type: 'integer' as const, default: 3306 },
      { ...option, name: 'password', type: 'secret' as const, default: null },
    ],
  };
  expect(carriedValues(mysql, { host: 'a', port: 5432, password: 'x' })).toEqual({ host: 'a', port: 3306 });
});
