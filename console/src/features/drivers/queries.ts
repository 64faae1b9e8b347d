import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  call,
  containerListContainers,
  type DriverHostPageRequest,
  type DriverPageRequest,
  type DriverUserPageRequest,
  driverGetRules,
  driverPage,
  driverPageHosts,
  driverPageUsers,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';

export const DRIVERS = 'resource/drivers';

/** In place of a kind of data source: the file is a package of agents. */
export const PACKAGE = 'agent';

/** What a file is for, by its kind and the name that the kind has everywhere. */
export function useKindText(): (kind: string, label: string) => string {
  const { t } = useTranslation('drivers');
  return (kind, label) => (kind === PACKAGE ? t('agentPackage') : label);
}

const refreshed = [['driver']];
const PIECE = 1 << 22;

/** Everything that is shown of drivers is asked for again after something was done. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

/** Hosts announce how far they are as services do. */
const topics = ['service', 'call'] as const;

export function useDrivers(body: DriverPageRequest) {
  return useLive({
    queryKey: ['driver', 'page', body],
    topics,
    queryFn: ({ signal }) => call(driverPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

export async function allDrivers(body: DriverPageRequest) {
  return (await call(driverPage({ body: { ...body, current: 1, size: -1 } }))).records;
}

export function useHosts(body: DriverHostPageRequest) {
  return useLive({
    queryKey: ['driver', 'hosts', body],
    topics,
    queryFn: ({ signal }) => call(driverPageHosts({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

export async function allHosts(body: DriverHostPageRequest) {
  return (await call(driverPageHosts({ body: { ...body, current: 1, size: -1 } }))).records;
}

export function useUsers(body: DriverUserPageRequest) {
  return useLive({
    queryKey: ['driver', 'users', body],
    topics: ['call'],
    queryFn: ({ signal }) => call(driverPageUsers({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

export async function allUsers(body: DriverUserPageRequest) {
  return (await call(driverPageUsers({ body: { ...body, current: 1, size: -1 } }))).records;
}

export function useRules() {
  return useRead({
    queryKey: ['driver', 'rules'],
    queryFn: ({ signal }) => call(driverGetRules({ body: {}, signal })),
  });
}

export function useContainers() {
  return useRead({
    queryKey: ['container', 'list'],
    queryFn: ({ signal }) => call(containerListContainers({ body: {}, signal })),
  });
}

/** The checksum of a file in hexadecimal. */
export async function checksumOf(file: Blob): Promise<string> {
  const digest = sha256.create();
  for (let at = 0; at < file.size; at += PIECE) {
    digest.update(new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()));
  }
  return bytesToHex(digest.digest());
}

/** A small file in base64, as the server takes signatures. */
export async function base64Of(file: Blob): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await file.slice(0, 128).arrayBuffer())));
}
