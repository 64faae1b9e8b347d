import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Form, Input } from 'antd';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { NameField } from './name-field';
import { upTo } from './up-to';

// Outside the basic plane: two units each for the browser, one character for the viewer and the server.
const RARE = '𠮷';

it.each([
  ['field', <Input key="field" aria-label="Text" {...upTo(3)} />],
  ['area', <Input.TextArea key="area" aria-label="Text" {...upTo(3)} />],
])('a text %s takes as many characters as the server', async (_, field) => {
  await renderInFrame(field);
  await userEvent.click(screen.getByLabelText('Text'));
  await userEvent.paste(RARE.repeat(4));
  expect(screen.getByLabelText('Text')).toHaveValue(RARE.repeat(3));
});

it('a name may have a hundred of them', async () => {
  await renderInFrame(
    <Form>
      <NameField label="Name" emptyFault="" />
    </Form>,
  );
  await userEvent.click(screen.getByLabelText('Name'));
  await userEvent.paste(RARE.repeat(101));
  expect(screen.getByLabelText('Name')).toHaveValue(RARE.repeat(100));
});
