import type { DependantGroup, SearchHit } from '@/shared/api';
import { customerPaths, paths } from '@/shared/pages/paths';

type Kind = DependantGroup['kind'];

function addressed(path: string, query: Record<string, string>): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`;
}

function customersOf(type: string | undefined) {
  return customerPaths[type as keyof typeof customerPaths] ?? customerPaths.client;
}

/** The page of a named object, narrowed to it. */
export function addressOf(kind: Kind, { id, name, details }: SearchHit): string {
  switch (kind) {
    case 'link':
      return paths.syncLink(id);
    case 'node':
    case 'topic':
      return paths.publishNode(details.type ?? '', details.node ?? '');
    case 'published-table':
    case 'column':
      return addressed(paths.publishNode(details.type ?? '', details.node ?? ''), {
        'table-search': details.table ?? '',
      });
    case 'subscribed-table': {
      const { customer = '', control = '', channel = '', table = '' } = details;
      return addressed(customersOf(details.type).sheet({ customer, control, channel }), { search: table });
    }
    case 'customer':
      return addressed(customersOf(details.type).customers(), { search: name });
    case 'master':
      return addressed(customersOf(details.type).masters(), {
        customer: details.customer ?? '',
        search: name,
      });
    case 'computation':
      return addressed(customerPaths.stream.masters(), { search: name });
    case 'department':
      return addressed('/authority-management/dept-management', { search: name });
    case 'policy':
      return addressed('/policy/define', { search: name });
    case 'service':
      return addressed('/system/service_management', { search: name });
    case 'container':
      return paths.container(id);
    case 'api':
      return addressed('/data-service/api-group', { show: 'apis', 'api-search': name });
    case 'app':
      return addressed('/data-service/api-app', { search: name });
    case 'alert-rule':
      return addressed('/system/alert-rule', { search: name });
    case 'plan':
      return addressed('/task', { search: name });
    case 'sql':
      return addressed('/resource/sqlManagement', { show: 'saved', search: name });
    case 'user':
      return addressed('/authority-management/user-management', { search: name });
    case 'article':
      return paths.article(id);
    case 'operation':
      return paths.operation(id);
  }
}
