import {
  type CauseRecord,
  type ChannelCauseListRequest,
  type ChannelErrorEdit,
  type ChannelErrorPageRequest,
  type ChannelErrorsChoice,
  call,
  type PageRowErrorRecord,
  type RowErrorDetail,
  rowErrorEdit,
  rowErrorEditOfChannel,
  rowErrorGet,
  rowErrorGetOfChannel,
  rowErrorListCauses,
  rowErrorListCausesOfChannel,
  rowErrorPage,
  rowErrorPageOfChannel,
  rowErrorRetry,
  rowErrorRetryOfChannel,
  rowErrorSkip,
  rowErrorSkipOfChannel,
} from '@/shared/api';

/** Queries of row errors, for any kind of owner. */
type Asked<Request> = Omit<Request, 'channelId'>;

/** Whose target's refused changes are shown, and how they are asked for. */
export interface ErrorSource {
  key: string;
  /** The link whose logs say more; none: the target has no link. */
  link?: string;
  /** The menu entry whose operations say what the viewer may do. */
  area: string;
  page: (body: Asked<ChannelErrorPageRequest>, signal?: AbortSignal) => Promise<PageRowErrorRecord>;
  causes: (body: Asked<ChannelCauseListRequest>, signal?: AbortSignal) => Promise<readonly CauseRecord[]>;
  get: (error: string, signal?: AbortSignal) => Promise<RowErrorDetail>;
  retry: (body: Asked<ChannelErrorsChoice>) => Promise<number>;
  skip: (body: Asked<ChannelErrorsChoice>) => Promise<number>;
  edit: (body: Asked<ChannelErrorEdit>) => Promise<number>;
}

export function linkErrors(id: string): ErrorSource {
  return {
    key: id,
    link: id,
    area: 'sync-link',
    page: (body, signal) => call(rowErrorPage({ body: { ...body, id }, signal })),
    causes: (body, signal) => call(rowErrorListCauses({ body: { ...body, id }, signal })),
    get: (error, signal) => call(rowErrorGet({ body: { error, id }, signal })),
    retry: (body) => call(rowErrorRetry({ body: { ...body, id } })),
    skip: (body) => call(rowErrorSkip({ body: { ...body, id } })),
    edit: (body) => call(rowErrorEdit({ body: { ...body, id } })),
  };
}

export function channelErrors(channelId: string, area: string): ErrorSource {
  return {
    key: channelId,
    area,
    page: (body, signal) => call(rowErrorPageOfChannel({ body: { ...body, channelId }, signal })),
    causes: (body, signal) => call(rowErrorListCausesOfChannel({ body: { ...body, channelId }, signal })),
    get: (error, signal) => call(rowErrorGetOfChannel({ body: { error, channelId }, signal })),
    retry: (body) => call(rowErrorRetryOfChannel({ body: { ...body, channelId } })),
    skip: (body) => call(rowErrorSkipOfChannel({ body: { ...body, channelId } })),
    edit: (body) => call(rowErrorEditOfChannel({ body: { ...body, channelId } })),
  };
}
