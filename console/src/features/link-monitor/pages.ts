import { LinkOutlined } from '@ant-design/icons';
import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/linkMonitor',
  title: { zh: '链路统计', en: 'Link statistics' },
  menu: { position: 14_000, icon: LinkOutlined, operations: ['view'] },
  load: () => import('./monitor-page'),
  messages: ['link-monitor', 'metric'],
});
