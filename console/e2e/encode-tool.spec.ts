import { expect, expectAccessible, signIn, test, useLanguage } from './support/fixtures';

const words = {
  zh: {
    input: '输入',
    output: '输出',
    encode: '加密',
    decode: '解密',
    clear: '清空',
    tips: '提示',
    fault: '请输入字母、数字或下划线',
  },
  en: {
    input: 'Input',
    output: 'Output',
    encode: 'Encrypt',
    decode: 'Decrypt',
    clear: 'Clear',
    tips: 'Tips',
    fault: 'Enter letters, digits or underscore',
  },
} as const;

for (const language of ['zh', 'en'] as const) {
  const word = words[language];

  test(`a password is encrypted and decrypted, ${language}`, { tag: '@wide' }, async ({ page, platform }) => {
    await useLanguage(page, language);
    await signIn(page, platform, '/resource/encodeTool');
    const [input, output] = [page.getByLabel(word.input), page.getByLabel(word.output, { exact: true })];
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await input.fill('Geheim 密码-1');
    await press(word.encode);
    await expect(output).toHaveValue(/^[a-z2-7]+$/);
    await expectAccessible(page);
    const encoded = await output.inputValue();
    await press(word.clear);
    await expect(input).toHaveValue('');
    await expect(output).toHaveValue('');

    await input.fill(encoded);
    await press(word.decode);
    await expect(output).toHaveValue('Geheim 密码-1');

    await input.fill('not-decodable');
    await press(word.decode);
    const notice = page.getByRole('status').filter({ hasText: word.fault });
    await expect(notice).toContainText(word.tips);
    await expect(output).toHaveValue('Geheim 密码-1');

    const refused = page.waitForResponse(/getDecodeString$/);
    await input.fill('mzxw6ytb');
    await press(word.decode);
    expect((await (await refused).json()).code).toBe(300);
    await expect(output).toHaveValue('Geheim 密码-1');
  });
}
