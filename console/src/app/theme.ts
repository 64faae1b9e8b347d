import { theme as kit, type ThemeConfig } from 'antd';
import type { ShownTheme } from '@/shared/theme/theme';
import { resolved } from '@/shared/theme/use-theme';

/** The kit's tokens of the theme that is shown: its colours are the console's own. */
export function kitTheme(shown: ShownTheme): ThemeConfig {
  return {
    algorithm: shown === 'dark' ? kit.darkAlgorithm : kit.defaultAlgorithm,
    token: {
      motion: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
      colorPrimary: resolved('var(--primary)'),
      colorInfo: resolved('var(--primary)'),
      colorLink: resolved('var(--link)'),
      colorLinkHover: resolved('var(--strong-link)'),
      colorError: resolved('var(--error)'),
      colorBgLayout: resolved('var(--page)'),
      colorBgContainer: resolved('var(--surface)'),
      colorBgElevated: shown === 'dark' ? resolved('var(--fill)') : resolved('var(--surface)'),
      colorText: resolved('var(--text)'),
      // The kit's paler greys do not reach a contrast of 4.5 on the page's background.
      colorTextDescription: resolved('var(--quiet-text)'),
      colorTextTertiary: resolved('var(--quiet-text)'),
      colorTextPlaceholder: resolved('var(--placeholder)'),
      // The console is laid out for windows from 1280 px; below that the menu collapses.
      screenLGMax: 1279,
      screenXL: 1280,
      screenXLMin: 1280,
      borderRadius: 4,
      fontFamily:
        "system-ui, -apple-system, 'Segoe UI', Roboto, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif",
    },
    components: {
      // White on the theme colour is too pale to read, so filled buttons are a step darker.
      Button: {
        colorPrimary: resolved('var(--button)'),
        colorPrimaryHover: resolved('var(--button-hover)'),
        dangerColor: resolved('var(--on-error)'),
      },
      Menu: {
        itemSelectedColor: resolved('var(--link)'),
        subMenuItemSelectedColor: resolved('var(--link)'),
        itemHeight: 36,
        activeBarBorderWidth: 0,
      },
      Pagination: { colorPrimary: resolved('var(--link)') },
      Tabs: { itemSelectedColor: resolved('var(--link)'), itemHoverColor: resolved('var(--link)') },
    },
  };
}
