import { ClusterOutlined, ImportOutlined } from '@ant-design/icons';
import { definePages } from '@/shared/pages/definition';
import { pageOf } from './audience';

export const pages = definePages(
  {
    path: '/subscribe',
    title: { zh: '订阅', en: 'Subscribe' },
    menu: {
      position: 4_000,
      icon: ImportOutlined,
      operations: ['view', 'create', 'edit', 'delete', 'operate'],
    },
    load: () => import('./masters-page'),
    messages: ['subscribe', 'metric', 'sync'],
  },
  {
    path: '/subscribe/customer',
    title: { zh: '订阅者', en: 'Subscribers' },
    load: () => import('./customers-page'),
    messages: ['subscribe', 'metric', 'sync', 'data-source'],
    parent: '/subscribe',
  },
  {
    path: '/subscribe/database-admin',
    title: { zh: '数据库管理', en: 'Databases' },
    load: () => import('./databases-page'),
    messages: ['subscribe', 'sync', 'data-source'],
    parent: '/subscribe',
  },
  {
    path: '/subscribe/data-sheet',
    title: { zh: '订阅数据表', en: 'Subscribed tables' },
    load: () => import('./sheet-page'),
    messages: ['subscribe', 'sync', 'row-error'],
    parent: '/subscribe',
  },
  {
    // Before the page of the same pattern that asks for a publish node's database.
    path: '/subscribe/database-config/subscribe',
    title: { zh: '数据库配置', en: 'Database configuration' },
    load: () => import('./database-config-page'),
    messages: ['subscribe', 'data-source'],
    parent: '/subscribe/database-admin',
    // It holds a password.
    noCache: true,
  },
  {
    path: '/databus',
    title: { zh: '数据总线', en: 'Databus' },
    menu: {
      position: 7_000,
      icon: ClusterOutlined,
      operations: ['view', 'create', 'edit', 'delete', 'operate'],
    },
    load: () => pageOf('databus', import('./masters-page')),
    messages: ['databus', 'subscribe', 'metric', 'sync'],
  },
  {
    path: '/databus/process',
    title: { zh: '处理', en: 'Processes' },
    load: () => pageOf('databus', import('./customers-page')),
    messages: ['databus', 'subscribe', 'metric', 'sync', 'data-source'],
    parent: '/databus',
  },
  {
    path: '/databus/database-admin',
    title: { zh: '数据库管理', en: 'Databases' },
    load: () => pageOf('databus', import('./databases-page')),
    messages: ['databus', 'subscribe', 'sync', 'data-source'],
    parent: '/databus',
  },
  {
    path: '/databus/data-sheet',
    title: { zh: '加工数据表', en: 'Processed tables' },
    load: () => pageOf('databus', import('./sheet-page')),
    messages: ['databus', 'subscribe', 'sync', 'row-error'],
    parent: '/databus',
  },
  {
    path: '/subscribe/database-config/databus',
    title: { zh: '数据库配置', en: 'Database configuration' },
    load: () => pageOf('databus', import('./database-config-page')),
    messages: ['databus', 'subscribe', 'data-source'],
    parent: '/databus/database-admin',
    // It holds a password.
    noCache: true,
  },
  {
    path: '/stream/customer',
    title: { zh: '客户', en: 'Customers' },
    load: () => pageOf('stream', import('./customers-page')),
    messages: ['stream-customer', 'subscribe', 'sync', 'data-source'],
    parent: '/stream',
  },
  {
    path: '/stream/database-admin',
    title: { zh: '数据库管理', en: 'Databases' },
    load: () => pageOf('stream', import('./databases-page')),
    messages: ['stream-customer', 'subscribe', 'sync', 'data-source'],
    parent: '/stream',
  },
  {
    path: '/subscribe/database-config/stream',
    title: { zh: '数据库配置', en: 'Database configuration' },
    load: () => pageOf('stream', import('./database-config-page')),
    messages: ['stream-customer', 'subscribe', 'data-source'],
    parent: '/stream/database-admin',
    // It holds a password.
    noCache: true,
  },
);
