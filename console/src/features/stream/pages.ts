import { ThunderboltOutlined } from '@ant-design/icons';
import { definePages } from '@/shared/pages/definition';

export const pages = definePages(
  {
    path: '/stream',
    title: { zh: '实时计算', en: 'Real-time compute' },
    menu: {
      position: 5_000,
      icon: ThunderboltOutlined,
      operations: ['view', 'create', 'edit', 'delete', 'operate'],
    },
    load: () => import('./list-page'),
    messages: ['stream'],
  },
  {
    path: '/stream/data-sheet',
    title: { zh: '实时数据表', en: 'Real-time tables' },
    load: () => import('./sheet-page'),
    messages: ['stream'],
    parent: '/stream',
  },
);
