import { expect, expectAccessible, signIn, test, useLanguage } from './support/fixtures';

const words = {
  zh: { empty: '尚未选择文件', city: '城市' },
  en: { empty: 'No file chosen', city: 'City' },
} as const;

/** One white point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
);

for (const language of ['zh', 'en'] as const) {
  test(`a file of the viewer's own is shown as what it is, ${language}`, async ({ page, platform }) => {
    const word = words[language];
    const refused: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) refused.push(message.text());
    });
    await useLanguage(page, language);
    await signIn(page, platform, '/file-preview');
    await expect(page.getByText(word.empty)).toBeVisible();
    await expectAccessible(page);
    const file = page.locator('input[type=file]');
    const choose = (name: string, mimeType: string, content: string | Buffer) =>
      file.setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
    await choose('cities.csv', 'text/csv', `${word.city},n\nOslo,7\n`);
    await expect(page.getByRole('columnheader', { name: word.city })).toBeVisible();
    await expectAccessible(page);
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/file-preview-${language}.png` });
    await choose('point.txt', 'text/plain', PNG);
    await expect(page.getByRole('img', { name: 'point.txt' })).toHaveJSProperty('naturalWidth', 1);
    await choose('paper.pdf', 'text/html', '%PDF-1.4\n<script>document.title = "run"</script>');
    await expect(page.locator('iframe[title="paper.pdf"]')).toBeVisible();
    await choose('page.pdf', 'text/html', '<script>document.title = "run"</script>');
    await expect(page.locator('iframe')).toHaveCount(0);
    await expect(page).not.toHaveTitle('run');
    expect(refused).toEqual([]);
  });
}
