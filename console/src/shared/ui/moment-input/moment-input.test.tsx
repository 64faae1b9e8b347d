import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Form } from 'antd';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { MomentField } from '@/shared/ui/time-range';
import { loadMessages } from '@/testing/messages';
import { MOMENT, MomentInput } from '.';
import type { Precision } from './wall';

const reported = vi.fn();

function Field({ begin = '', precision = 'minute' as Precision }) {
  const [value, setValue] = useState(begin);
  const change = (next: string) => {
    reported(next);
    setValue(next);
  };
  return <MomentInput aria-label="At" precision={precision} value={value} onChange={change} />;
}

async function show(
  begin?: string,
  { precision = 'minute' as Precision, locale = 'en' as 'zh' | 'en' } = {},
) {
  reported.mockClear();
  await loadMessages(locale);
  render(<Field precision={precision} {...(begin !== undefined && { begin })} />);
  return screen.getByRole<HTMLInputElement>('textbox', { name: 'At' });
}

it('shows and reads moments as the console does, in its language', async () => {
  const field = await show('2026-03-04T05:06', { locale: 'zh' });
  expect(field).toHaveValue('2026-03-04 05:06');
  await vi.waitFor(() => expect(field).toHaveAttribute('placeholder', '年-月-日 时:分'));
  await userEvent.clear(field);
  expect(reported).toHaveBeenLastCalledWith('');
  await userEvent.type(field, '2026年3月5日下午6点07分');
  expect(reported).toHaveBeenLastCalledWith('2026-03-05T18:07');
  await userEvent.tab();
  expect(field).toHaveValue('2026-03-05 18:07');
});

it('what is no time is kept and named, never taken for none or for the one before', async () => {
  const field = await show('2026-03-04T05:06');
  await userEvent.clear(field);
  await userEvent.type(field, '2026-02-30 05:06');
  expect(reported).toHaveBeenLastCalledWith('2026-02-30 05:06');
  expect(field).not.toHaveAttribute('aria-invalid');
  fireEvent.blur(field);
  expect(field).toHaveAttribute('aria-invalid', 'true');
  await vi.waitFor(() => expect(field).toHaveAttribute('title', 'Not a time. Example: 2026-03-04 05:06'));
});

it('arrows change the part under the caret; an empty field begins with now', async () => {
  const field = await show('2026-03-31T23:59');
  field.focus();
  field.setSelectionRange(6, 6);
  await userEvent.keyboard('{ArrowDown}');
  expect(field).toHaveValue('2026-02-28 23:59');
  expect([field.selectionStart, field.selectionEnd]).toEqual([5, 7]);
  field.setSelectionRange(16, 16);
  await userEvent.keyboard('{ArrowUp}');
  expect(reported).toHaveBeenLastCalledWith('2026-03-01T00:00');
  await userEvent.clear(field);
  await userEvent.keyboard('{ArrowUp}');
  expect(reported).toHaveBeenLastCalledWith(expect.stringMatching(MOMENT));
});

it('a day is chosen from the calendar by keyboard; the time stays, and Escape closes the calendar alone', async () => {
  const field = await show('2026-03-04T05:06');
  const outside = vi.fn();
  window.addEventListener('keydown', outside);
  field.focus();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(await screen.findByRole('grid', { name: 'March 2026' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Wednesday, March 4, 2026' })).toHaveFocus();
  await userEvent.keyboard('{PageDown}{ArrowRight}{End}{ArrowUp}');
  expect(screen.getByRole('button', { name: 'Sunday, March 29, 2026' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(reported).toHaveBeenLastCalledWith('2026-03-29T05:06');
  expect(field).toHaveFocus();
  expect([field.selectionStart, field.selectionEnd]).toEqual([11, 13]);
  expect(screen.queryByRole('grid')).toBeNull();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await screen.findByRole('grid');
  outside.mockClear();
  await userEvent.keyboard('{Escape}');
  window.removeEventListener('keydown', outside);
  expect(outside).not.toHaveBeenCalled();
  expect(screen.queryByRole('grid')).toBeNull();
  expect(field).toHaveFocus();
});

it("the calendar speaks the console's language, and turns months by pointer", async () => {
  await show('2026-03-04T05:06', { locale: 'zh' });
  await userEvent.click(await screen.findByRole('button', { name: '选择日期' }));
  expect(await screen.findByRole('grid', { name: '2026年3月' })).toBeInTheDocument();
  expect(screen.getByRole('columnheader', { name: '一' })).toHaveAttribute('abbr', '星期一');
  await userEvent.click(screen.getByRole('button', { name: '下个月' }));
  await userEvent.click(screen.getByRole('button', { name: '2026年4月30日星期四' }));
  expect(reported).toHaveBeenLastCalledWith('2026-04-30T05:06');
});

it('a time of day has no calendar', async () => {
  const field = await show('22:00', { precision: 'clock' });
  expect(screen.queryByRole('button')).toBeNull();
  await userEvent.clear(field);
  await userEvent.type(field, '7:5');
  expect(reported).toHaveBeenLastCalledWith('07:05');
});

it('a form refuses what is no time', async () => {
  await loadMessages('en');
  const sent = vi.fn();
  render(
    <Form onFinish={sent}>
      <Form.Item name="at" label="Ends" rules={[{ pattern: MOMENT, message: 'Which moment?' }]}>
        <MomentInput />
      </Form.Item>
      <button type="submit">Save</button>
    </Form>,
  );
  const field = screen.getByLabelText('Ends');
  await userEvent.type(field, 'tomorrow');
  await userEvent.click(screen.getByText('Save'));
  expect(await screen.findByText('Which moment?')).toBeInTheDocument();
  await userEvent.clear(field);
  await userEvent.type(field, '2026-03-04 05:06{Enter}');
  await vi.waitFor(() => expect(sent).toHaveBeenCalledWith({ at: '2026-03-04T05:06' }));
});

it('a list is narrowed when the field is left, by Enter too, and not by half a date', async () => {
  await loadMessages('en');
  const narrow = vi.fn();
  const at = new Date(2026, 2, 4, 5, 6, 7).toISOString();
  render(<MomentField label="From" value={at} onChange={narrow} />);
  const field = screen.getByLabelText('From');
  expect(field).toHaveValue('2026-03-04 05:06:07');
  await userEvent.clear(field);
  await userEvent.type(field, '2026-03{Enter}');
  expect(narrow).not.toHaveBeenCalled();
  await userEvent.type(field, '-05 06:07{Enter}');
  expect(narrow).toHaveBeenLastCalledWith(new Date(2026, 2, 5, 6, 7).toISOString());
  await userEvent.clear(field);
  fireEvent.blur(field);
  expect(narrow).toHaveBeenLastCalledWith('');
});
