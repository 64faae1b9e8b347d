import type { ThemeConfig } from 'antd';
import { colours } from '@/shared/ui/colours';

/** The kit's tokens. Link text is darker than the theme colour, because #1890ff on white is too pale to read. */
export const theme: ThemeConfig = {
  token: {
    motion: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    colorPrimary: colours.primary,
    colorInfo: colours.primary,
    colorLink: colours.link,
    colorLinkHover: colours.button,
    colorError: colours.error,
    colorBgLayout: colours.page,
    // The kit's paler greys do not reach a contrast of 4.5 on the page's background.
    colorTextDescription: colours.quietText,
    colorTextTertiary: colours.quietText,
    colorTextPlaceholder: colours.placeholder,
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
    Button: { colorPrimary: colours.button, colorPrimaryHover: colours.link },
    Menu: {
      itemSelectedColor: colours.link,
      subMenuItemSelectedColor: colours.link,
      itemHeight: 36,
      activeBarBorderWidth: 0,
    },
    Pagination: { colorPrimary: colours.link },
    Tabs: { itemSelectedColor: colours.link, itemHoverColor: colours.link },
  },
};
