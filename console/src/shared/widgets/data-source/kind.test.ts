import { expect, it } from 'vitest';
import { type KindOption, labelledChoices } from './kind';

const called: Record<string, string> = {
  disable: '不加密',
  require: '必须加密',
  tls: 'TLS',
  csv: 'CSV',
  page: '网页',
};

function labels(option: Partial<KindOption> & { choices: string[] }): string[] {
  const whole = { name: 'other', help: '', ...option } as KindOption;
  return labelledChoices(whole, (value) => called[value] ?? value).map(({ label }) => label);
}

it('TLS is called the same for every type of data source, whatever its help explains', () => {
  const choices = ['disable', 'require'];
  const expected = ['不加密 (disable)', '必须加密 (require)'];
  for (const help of ['', 'require：不校验服务器证书', 'disable: in clear; require: not checked'])
    expect(labels({ name: 'tls', help, choices })).toEqual(expected);
});

it('choices have their values where the help explains one, and none that says the same', () => {
  expect(labels({ help: 'page: links', choices: ['csv', 'page'] })).toEqual(['CSV', '网页 (page)']);
  expect(labels({ choices: ['csv', 'page'] })).toEqual(['CSV', '网页']);
});
