import type { ManagedService } from '@/shared/api';
import { serviceKinds } from '@/shared/api/gen/service-kinds.gen';
import { customText } from '@/shared/i18n/custom-texts';
import { titleIn } from '@/shared/pages/definition';

export type ServiceType = ManagedService['type'];

/** In the server's order. */
export const serviceTypes: readonly ServiceType[] = serviceKinds.map(({ type }) => type);

const kinds = new Map<string, (typeof serviceKinds)[number]>(serviceKinds.map((kind) => [kind.type, kind]));

/** What a type of services is called; one that this console does not know is called what the server calls it. */
export function serviceTitle(type: string): string {
  const kind = kinds.get(type);
  const custom = customText('service-kind', type);
  if (custom !== undefined) return custom;
  return kind ? titleIn(kind.title) : type;
}

/** Of what services of a type do the work. */
export function madeFor(type: ServiceType) {
  return kinds.get(type)?.madeFor ?? 'customer';
}
