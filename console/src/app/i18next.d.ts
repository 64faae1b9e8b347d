import 'i18next';
import type account from '@/features/account/locales/zh.json';
import type alert from '@/features/alert/locales/zh.json';
import type authority from '@/features/authority/locales/zh.json';
import type container from '@/features/container/locales/zh.json';
import type dataService from '@/features/data-service/locales/zh.json';
import type demo from '@/features/demo/locales/zh.json';
import type encodeTool from '@/features/encode-tool/locales/zh.json';
import type flowPath from '@/features/flow-path/locales/zh.json';
import type help from '@/features/help/locales/zh.json';
import type home from '@/features/home/locales/zh.json';
import type linkMonitor from '@/features/link-monitor/locales/zh.json';
import type parameter from '@/features/parameter/locales/zh.json';
import type pointToPoint from '@/features/point-to-point/locales/zh.json';
import type publish from '@/features/publish/locales/zh.json';
import type registration from '@/features/registration/locales/zh.json';
import type signIn from '@/features/sign-in/locales/zh.json';
import type simplifySync from '@/features/simplify-sync/locales/zh.json';
import type stream from '@/features/stream/locales/zh.json';
import type subscribe from '@/features/subscribe/locales/zh.json';
import type syncLink from '@/features/sync-link/locales/zh.json';
import type syncTask from '@/features/sync-task/locales/zh.json';
import type common from '@/shared/i18n/locales/zh/common.json';
import type dataSource from '@/shared/i18n/locales/zh/data-source.json';
import type databus from '@/shared/i18n/locales/zh/databus.json';
import type deleteConfirm from '@/shared/i18n/locales/zh/delete-confirm.json';
import type machine from '@/shared/i18n/locales/zh/machine.json';
import type person from '@/shared/i18n/locales/zh/person.json';
import type rowError from '@/shared/i18n/locales/zh/row-error.json';
import type service from '@/shared/i18n/locales/zh/service.json';
import type slideVerify from '@/shared/i18n/locales/zh/slide-verify.json';
import type state from '@/shared/i18n/locales/zh/state.json';
import type streamCustomer from '@/shared/i18n/locales/zh/stream-customer.json';
import type sync from '@/shared/i18n/locales/zh/sync.json';
import type frame from './locales/zh/frame.json';

// The compiler checks every message key against the Chinese catalogue; `npm run i18n` checks that English has the same.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      common: typeof common;
      frame: typeof frame;
      'sign-in': typeof signIn;
      account: typeof account;
      alert: typeof alert;
      'encode-tool': typeof encodeTool;
      container: typeof container;
      'data-service': typeof dataService;
      demo: typeof demo;
      help: typeof help;
      authority: typeof authority;
      person: typeof person;
      home: typeof home;
      parameter: typeof parameter;
      registration: typeof registration;
      service: typeof service;
      'point-to-point': typeof pointToPoint;
      publish: typeof publish;
      'flow-path': typeof flowPath;
      'link-monitor': typeof linkMonitor;
      'simplify-sync': typeof simplifySync;
      stream: typeof stream;
      subscribe: typeof subscribe;
      machine: typeof machine;
      'sync-link': typeof syncLink;
      'sync-task': typeof syncTask;
      'data-source': typeof dataSource;
      databus: typeof databus;
      'delete-confirm': typeof deleteConfirm;
      'slide-verify': typeof slideVerify;
      'row-error': typeof rowError;
      state: typeof state;
      'stream-customer': typeof streamCustomer;
      sync: typeof sync;
    };
  }
}
