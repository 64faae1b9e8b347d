import type { RouteInput, RouteRecord, RouteTestRequest } from '@/shared/api';

/** A route as the form has it. Secrets are empty unless they change or are kept elsewhere. The last three are of the test alone. */
export interface RouteForm extends Required<RouteInput> {
  containerId?: string;
  targetHost?: string;
  targetPort?: number | null;
}

export const kinds = ['ssh', 'socks5', 'http', 'direct'] as const;

const ports: Record<RouteInput['kind'], number | undefined> = {
  ssh: 22,
  socks5: 1080,
  http: 3128,
  direct: undefined,
};

/** The usual port of a type. */
export function usualPort(kind: RouteInput['kind']): number | undefined {
  return ports[kind];
}

export function initialOf(route: RouteRecord | undefined): object {
  return route
    ? { ...route, password: route.passwordReference, key: route.keyReference }
    : { kind: 'ssh', port: 22, targets: [] };
}

function settingsOf(form: RouteForm) {
  const through = form.kind !== 'direct';
  const isSsh = form.kind === 'ssh';
  return {
    kind: form.kind,
    host: through ? (form.host ?? '').trim() : '',
    port: through ? (form.port ?? 0) : 0,
    user: through ? (form.user ?? '') : '',
    password: through ? (form.password ?? '') : '',
    key: isSsh ? (form.key ?? '') : '',
    hostKey: isSsh ? (form.hostKey ?? '').trim() : '',
    source: (form.source ?? '').trim(),
    targets: form.targets ?? [],
  };
}

/** What is stored for a filled form. */
export function routeOf(form: RouteForm): RouteInput {
  return { name: form.name, description: form.description ?? '', ...settingsOf(form) };
}

/** What is tried; `id`: of the stored route. */
export function testOf(form: RouteForm, id: string): RouteTestRequest {
  return {
    ...settingsOf(form),
    id,
    containerId: form.containerId ?? '',
    targetHost: (form.targetHost ?? '').trim(),
    targetPort: form.targetPort ?? 0,
  };
}
