import { FileProtectOutlined } from '@ant-design/icons';
import { definePages } from '@/shared/pages/definition';

export const pages = definePages(
  {
    path: '/resource/article',
    title: { zh: '帮助文章', en: 'Help articles' },
    menu: {
      position: 18_000,
      group: 'resource',
      operations: ['view', 'create', 'edit', 'delete', 'operate'],
      forRemote: true,
    },
    load: () => import('./article-page'),
    messages: ['help'],
  },
  {
    path: '/disclaimers',
    title: { zh: '免责声明', en: 'Disclaimers' },
    menu: { position: 22_000, icon: FileProtectOutlined, operations: ['view'], forRemote: true },
    load: () => import('./disclaimers-page'),
    messages: ['help'],
    untitled: true,
  },
);
