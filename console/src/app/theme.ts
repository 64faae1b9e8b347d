import type { ThemeConfig } from 'antd';
import { colours } from '@/shared/ui/colours';

/** The kit's tokens. Link text is darker than the theme colour, because #1890ff on white is too pale to read. */
export const theme: ThemeConfig = {
  token: {
    colorPrimary: colours.primary,
    colorInfo: colours.primary,
    colorLink: colours.link,
    colorBgLayout: colours.page,
    borderRadius: 4,
    fontFamily:
      "system-ui, -apple-system, 'Segoe UI', Roboto, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif",
  },
  components: {
    Layout: { siderBg: '#fff', headerBg: '#fff', headerHeight: 48, headerPadding: '0 16px' },
  },
};
