import {
  englishLater,
  expect,
  expectAccessible,
  PASSWORD,
  signInWithCaptcha,
  slideTo,
  test,
  useLanguage,
} from './support/fixtures';
import { Platform } from './support/platform';

const words = {
  zh: { tips: '提示', slide: '向右滑动', missed: '滑块未对准缺口，请重试', close: '关闭' },
  en: {
    tips: 'Tips',
    slide: 'Slide right',
    missed: 'The piece is not in the right position, try again',
    close: 'Close',
  },
} as const;

let own: Platform;
test.beforeAll(async () => {
  own = await Platform.start({ captcha: true, password: PASSWORD });
});
test.afterAll(() => own.stop());

for (const language of ['zh', 'en'] as const) {
  const word = words[language];

  test.describe(`captcha and slide puzzle, ${language}`, englishLater(language), () => {
    test.beforeEach(({ page }) => useLanguage(page, language));

    test('who reads the digits and slides the piece into its place is let in', async ({ page }) => {
      await signInWithCaptcha(page, own, PASSWORD);
      await expect(page).toHaveURL(/\/zcbus\/home$/);
    });

    test('a piece in the wrong position is refused with another puzzle, and the slider can be closed', async ({
      page,
    }) => {
      const before = page.waitForResponse(/authentication\/slide$/);
      await page.goto(`${own.url}/zcbus/login`);
      await page.locator('[name=userName]').fill('admin');
      await page.locator('[name=password]').fill(PASSWORD);
      await page.locator('[name=code]').fill('0000');
      await page.locator('button[type=submit]').click();
      const dialog = page.getByRole('dialog', { name: word.tips });
      await expect(dialog.getByText(word.slide)).toBeVisible();
      await expectAccessible(page);
      const size = await dialog.locator('.slide-picture > img').first().boundingBox();
      expect([size?.width, size?.height]).toEqual([350, 155]);
      const { data: puzzle } = await (await before).json();
      const place = Number(await own.captchaAnswer('slide', puzzle.uuid));
      const another = page.waitForResponse(/authentication\/slide$/);
      await slideTo(page, place > 200 ? place - 60 : place + 60);
      await expect(dialog.getByRole('alert')).toHaveText(word.missed);
      expect((await (await another).json()).data.uuid).not.toBe(puzzle.uuid);
      await dialog.getByRole('button', { name: word.close }).click();
      await expect(dialog).toBeHidden();
      await expect(page.locator('button[type=submit]')).toBeEnabled();
    });

    test('the keyboard moves the piece, too', async ({ page }) => {
      const puzzled = page.waitForResponse(/authentication\/slide$/);
      const pictured = page.waitForResponse(/authentication\/code$/);
      await page.goto(`${own.url}/zcbus/login`);
      const { data: picture } = await (await pictured).json();
      await page.locator('[name=userName]').fill('admin');
      await page.locator('[name=password]').fill(PASSWORD);
      await page.locator('[name=code]').fill(await own.captchaAnswer('digits', picture.uuid));
      await page.keyboard.press('Enter');
      const { data: puzzle } = await (await puzzled).json();
      const place = Number(await own.captchaAnswer('slide', puzzle.uuid));
      const slider = page.getByRole('slider');
      await slider.focus();
      // A page of it at a time, as far as that goes.
      await page.keyboard.press('PageUp');
      const leap = Number(await slider.inputValue());
      expect(leap).toBeGreaterThan(1);
      for (let x = leap; x + leap <= place; x += leap) await page.keyboard.press('PageUp');
      for (let x = Number(await slider.inputValue()); x < place; x += 1)
        await page.keyboard.press('ArrowRight');
      await expect(slider).toHaveValue(String(place));
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/zcbus\/home$/);
    });
  });
}
