import { FundProjectionScreenOutlined } from '@ant-design/icons';
import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/overview-monitor',
  title: { zh: '监控大屏', en: 'Monitoring screen' },
  menu: { position: 11_500, icon: FundProjectionScreenOutlined, operations: ['view'] },
  load: () => import('./wall-page'),
  messages: ['overview-monitor', 'sync'],
});
