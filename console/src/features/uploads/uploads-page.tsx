import { UploadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type UploadPageRequest,
  type UploadRecord,
  uploadCancel,
  uploadDelete,
} from '@/shared/api';
import { uploadPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { bytes } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { allUploads, download, UPLOADS, useLimits, useRefresh, useUploads } from './queries';

const UploadDrawer = lazy(() => import('./upload-drawer'));

/** Data for a table is no file of this list. */
type Purpose = NonNullable<UploadPageRequest['purpose']>;

const PURPOSES: readonly Purpose[] = ['file', 'picture'];
const defaults = { search: '', purpose: '' };
const keyOf = ({ id }: UploadRecord) => id;

/** Files that users of the tenant uploaded. */
export default function UploadsPage() {
  const { t } = useTranslation('uploads');
  const state = useTableState();
  const [filter, narrow] = useListFilter('uploads', defaults);
  const [open, setOpen] = useState<{ continued?: UploadRecord }>();
  const limits = useLimits();
  const may = useMay(UPLOADS);
  const purpose = PURPOSES.find((one) => one === filter.purpose);
  const asked = { ...state.request, search: filter.search, ...(purpose && { purpose }) };
  const query = useUploads(asked);
  const isFiltered = Boolean(filter.search || purpose);
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <DataTable
        label={t('title')}
        name="uploads"
        columns={useColumns((continued) => setOpen({ continued }))}
        list={uploadPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allUploads(asked)}
        empty={isFiltered ? { title: t('emptyFiltered') } : { title: t('empty'), hint: t('emptyHint') }}
        toolbar={
          <>
            <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
            <ListChoice
              label={t('purpose')}
              value={purpose ?? ''}
              onChange={(chosen) => narrow({ purpose: chosen })}
              options={[
                { value: '' as const, label: t('anyPurpose') },
                ...PURPOSES.map((value) => ({ value, label: t(`purposes.${value}`) })),
              ]}
            />
            {may('create') && (
              <Button
                type="primary"
                icon={<UploadOutlined />}
                disabled={!limits.data}
                onClick={() => setOpen({})}
              >
                {t('upload')}
              </Button>
            )}
          </>
        }
        extra={
          <>
            {limits.data && (
              <span>{t('used', { used: bytes(limits.data.used), most: bytes(limits.data.tenant) })}</span>
            )}
            <LiveMark query={query} />
          </>
        }
      />
      <Suspense fallback={null}>
        {open && limits.data && (
          <UploadDrawer limits={limits.data} {...open} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
    </>
  );
}

function useColumns(onContinue: (row: UploadRecord) => void): Column<UploadRecord>[] {
  const { t } = useTranslation('uploads');
  const may = useMay(UPLOADS);
  const remove = useRemoval();
  const callOff = useCallingOff();
  return useMemo(
    () => [
      {
        key: 'name',
        type: 'text',
        title: t('name'),
        minWidth: 180,
        essential: true,
        length: 60,
        text: ({ name }) => name,
      },
      {
        key: 'kind',
        type: 'text',
        title: t('kind'),
        width: 110,
        text: ({ kind, state }) => (state === 'receiving' ? t('receiving') : kind.toUpperCase()),
      },
      {
        key: 'size',
        of: ['size', 'received', 'state'],
        type: 'text',
        title: t('size'),
        width: 150,
        align: 'right',
        text: ({ size, received, state }) =>
          state === 'receiving' ? `${bytes(received)} / ${bytes(size)}` : bytes(size),
      },
      {
        key: 'store',
        type: 'text',
        title: t('store'),
        width: 120,
        leaveOut: true,
        text: ({ store }) => t(`stores.${store}`),
      },
      {
        key: 'sha256',
        type: 'text',
        title: 'SHA-256',
        width: 180,
        hidden: true,
        length: 64,
        text: (row) => row.sha256,
      },
      { key: 'userName', type: 'text', title: t('userName'), width: 130, text: (row) => row.userName },
      {
        key: 'createdAt',
        title: t('createdAt'),
        width: MOMENT_WIDTH,
        text: (row) => row.createdAt,
        render: (row) => <Moment at={row.createdAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 190,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions: (row) => {
          if (row.state === 'receiving') {
            return [
              { key: 'continue', label: t('continue'), run: () => onContinue(row) },
              { key: 'cancel', label: t('callOff'), danger: true, run: () => callOff(row) },
            ];
          }
          return [
            {
              key: 'download',
              label: t('download'),
              run: () => void download(row).catch(() => undefined),
            },
            ...(may('delete')
              ? [{ key: 'delete', label: t('delete'), danger: true, run: () => remove(row) }]
              : []),
          ];
        },
      },
    ],
    [t, may, remove, callOff, onContinue],
  );
}

function useRemoval(): (row: UploadRecord) => void {
  const { t } = useTranslation('uploads');
  const refresh = useRefresh();
  return (row) =>
    confirmDelete({
      title: t('deleteTitle', { name: row.name }),
      content: t('deleteHint'),
      dependants: null,
      mode: 'post',
      run: async (proof) => {
        await call(uploadDelete({ body: { id: row.id, ...proof }, ...audited(row) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('deleted', { name: row.name }));
        await refresh();
      },
    });
}

function useCallingOff(): (row: UploadRecord) => void {
  const { t } = useTranslation('uploads');
  const refresh = useRefresh();
  return (row) =>
    void call(uploadCancel({ body: { id: row.id }, ...audited(row) }))
      .catch(reportFailure('delete'))
      .then(() => notify('success', t('calledOff', { name: row.name })))
      .then(refresh)
      .catch(() => undefined);
}
