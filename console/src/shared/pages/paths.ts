import { isEmptyText } from '@/shared/lib/text';

/** What a sign-in is for: the page to open afterwards, and the portal that the viewer came from. */
export interface Way {
  redirect?: string | null;
  sourceUrl?: string | null;
}

/** As an address names it; portals write words like `null` and `undefined` for nothing. */
export function wayOf(parameters: URLSearchParams): Way {
  const stated = (name: string) => {
    const text = parameters.get(name);
    return isEmptyText(text) ? null : text;
  };
  return { redirect: stated('redirect'), sourceUrl: stated('sourceUrl') };
}

const MINUTE = 60_000;

function withWay(path: string, { redirect, sourceUrl }: Way = {}): string {
  const parameters = new URLSearchParams();
  if (redirect) parameters.set('redirect', redirect);
  if (sourceUrl) parameters.set('sourceUrl', sourceUrl);
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

function withQuery(path: string, query: Record<string, string>): string {
  const parameters = new URLSearchParams(query);
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

/** Every path of the console is built here, so that a renamed route breaks the build and not a link. */
export const paths = {
  home: () => '/home',
  remoteHome: () => '/index',
  article: (name?: string) => `/resource/article${name ? `?name=${encodeURIComponent(name)}` : ''}`,
  disclaimers: () => '/disclaimers',
  signIn: (way?: Way) => withWay('/login', way),
  thirdPartySignIn: (way?: Way) => withWay('/thirdpart-sign-in', way),
  serviceSignIn: (way?: Way) => withWay('/servicepart-sign-in', way),
  samlSignIn: (way?: Way) => withWay('/saml-sign-in', way),
  resetPassword: (way?: Way) => withWay('/reset-password', way),
  containers: () => '/container',
  container: (id: string) => `/containerdetail/${encodeURIComponent(id)}`,
  policySheet: (policy: string) => withQuery('/policy/define/data-sheet', { policy }),
  syncLinks: () => '/sync-link',
  simplifySync: () => '/simplify-sync',
  newSyncLink: () => '/sync-link/new',
  syncLink: (id: string) => `/sync-link-config/${encodeURIComponent(id)}`,
  syncLinkErrors: (id: string) => `/sync-link-config/${encodeURIComponent(id)}?tab=errors`,
  operation: (id: string) => `/monitor/operation-log?record=${encodeURIComponent(id)}`,
  operationRecords: (search: string) => `/vxe-table?search=${encodeURIComponent(search)}`,
  publishNodes: () => '/publish',
  publishNode: (type: string, id: string) =>
    `/publishsubdetail/${encodeURIComponent(type)}/${encodeURIComponent(id)}`,
  /** `id`: what is edited; left out: something new of that type of database. */
  databaseConfig: (
    configType: 'publish' | 'subscribe' | 'databus' | 'stream',
    moduletype: string,
    rest: Record<string, string> = {},
  ) => {
    const query = new URLSearchParams({
      databaselist: JSON.stringify([{ moduletype }]),
      ifDistributed: 'false',
      ...rest,
    });
    return `/subscribe/database-config/${configType}?${query}`;
  },
  flowPath: () => '/flow-path',
  topology: () => '/resource/graph',
  ways: () => '/point-to-point-v',
  waysCanvas: () => '/point-to-point-v1',
  waysScreen: () => '/point-to-point-v2',
  linkMonitor: () => '/linkMonitor',
  /** The logs of a link, of a service or agent, or of all, from a minute before a moment to a minute after it. */
  logsAround: (at: string, { link = '', source = '' }: { link?: string; source?: string } = {}) => {
    const moment = Date.parse(at);
    const range = { range: 'own', from: String(moment - MINUTE), to: String(moment + MINUTE) };
    const scope = { ...(link ? { link } : {}), ...(source ? { 'log-source': source } : {}) };
    return withQuery('/monitor/log-search', { ...range, ...scope });
  },
  /** What became of published changes, of those in that state. */
  reconciliation: (state: string) =>
    `/monitor/pubAndSub-statistics?by=table&state=${encodeURIComponent(state)}`,
  /** The history of loads of tables with that name. */
  loads: (search: string) => withQuery('/monitor/load-statistics', { search }),
  taskPlans: () => '/task-plan',
  syncTasks: () => '/sync-task',
  syncTask: (id: string) => `/sync-task-config/${encodeURIComponent(id)}`,
};

function pathsOf(root: 'subscribe' | 'databus' | 'stream', customers: string) {
  return {
    /** `add`: the customer that is to get a new master. */
    masters: (rest: { add?: string } = {}) => withQuery(`/${root}`, rest),
    customers: () => `/${root}/${customers}`,
    databases: () => `/${root}/database-admin`,
    /** A new customer's database, a further one of `customer`, or the one that `id` names. */
    database: (moduletype: string, rest: { customer?: string; id?: string } = {}) =>
      paths.databaseConfig(root, moduletype, rest),
    sheet: (of: { customer?: string; control?: string; channel?: string } = {}) =>
      withQuery(`/${root}/data-sheet`, of),
  };
}

/** The pages of customers, by what they are: subscribers, processes (databus), and those of stream queries (stream), whose
 * stream queries stand where others have their masters. */
export const customerPaths = {
  client: pathsOf('subscribe', 'customer'),
  databus: pathsOf('databus', 'process'),
  stream: pathsOf('stream', 'customer'),
} as const;

/** The page to open after signing in. Only paths of this console are followed, never another site's. */
export function ownPath(redirect: string | null | undefined): string {
  const isOwn = redirect?.startsWith('/') && !/^\/[/\\]/.test(redirect);
  return isOwn ? (redirect as string) : '/';
}
