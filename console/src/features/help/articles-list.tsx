import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import {
  type ArticlePageRequest,
  type ArticleRecord,
  articleDelete,
  articlePublish,
  articleWithdraw,
  audited,
  call,
} from '@/shared/api';
import { articlePageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { paths } from '@/shared/pages/paths';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import {
  type Column,
  DataTable,
  MOMENT_WIDTH,
  type RowAction,
  useListFilter,
  useTableState,
} from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LookMark } from '@/shared/ui/state-tag';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { ARTICLES, allArticles, useArticles, useRefresh } from './queries';

const ArticleDrawer = lazy(() => import('./article-drawer'));
const PlaceDialog = lazy(() => import('./place-dialog'));
const VersionsDrawer = lazy(() => import('./versions-drawer'));

const ORIGINS = ['shipped', 'edited', 'own'] as const;
const defaults = { search: '', origin: '' };
const keyOf = ({ name }: ArticleRecord) => name;

/** Shipped pages and the tenant's articles, as their authors see them. */
export default function ArticlesList() {
  const { t } = useTranslation('help');
  const state = useTableState('article-');
  const [filter, narrow] = useListFilter('articles', defaults, 'article-');
  const may = useMay(ARTICLES);
  const [opened, setOpened] = useState<string>();
  const [shown, setShown] = useState<ArticleRecord>();
  const [placed, setPlaced] = useState<ArticleRecord>();
  const origin = ORIGINS.find((one) => one === filter.origin);
  const asked: ArticlePageRequest = {
    ...state.request,
    search: filter.search,
    ...(origin && { origin }),
    outdated: filter.origin === 'outdated',
  };
  return (
    <>
      <DataTable
        label={t('manage')}
        name="articles"
        columns={useColumns({ onEdit: setOpened, onVersions: setShown, onPlace: setPlaced })}
        list={articlePageList}
        query={useArticles(asked)}
        state={state}
        rowKey={keyOf}
        loadAll={() => allArticles(asked)}
        empty={{ title: t('nothing') }}
        toolbar={
          <>
            <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
            <ListChoice
              label={t('origin')}
              value={filter.origin}
              onChange={(chosen) => narrow({ origin: chosen })}
              options={[
                { value: '', label: t('anyOrigin') },
                ...ORIGINS.map((value) => ({ value: value as string, label: t(`origins.${value}`) })),
                { value: 'outdated', label: t('outdated') },
              ]}
            />
            {may('create') && (
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpened('')}>
                {t('new')}
              </Button>
            )}
          </>
        }
      />
      <Suspense>
        {opened !== undefined && <ArticleDrawer name={opened} onClose={() => setOpened(undefined)} />}
        {shown && <VersionsDrawer article={shown} onClose={() => setShown(undefined)} />}
        {placed && <PlaceDialog article={placed} onClose={() => setPlaced(undefined)} />}
      </Suspense>
    </>
  );
}

interface Openers {
  onEdit: (name: string) => void;
  onVersions: (article: ArticleRecord) => void;
  onPlace: (article: ArticleRecord) => void;
}

function useColumns(openers: Openers): Column<ArticleRecord>[] {
  const { t, i18n } = useTranslation('help');
  const actions = useActions(openers);
  return useMemo(() => {
    const isChinese = i18n.language.startsWith('zh');
    const titleOf = ({ titleZh, titleEn }: ArticleRecord) =>
      isChinese ? titleZh || titleEn : titleEn || titleZh;
    const placeOf = ({ origin, place, beforeShipped }: ArticleRecord) =>
      origin === 'own' ? `${t(beforeShipped ? 'places.before' : 'places.behind')}, ${place}` : '';
    const stateOf = ({ revision, published, changed }: ArticleRecord) => {
      if (revision === 0) return t('states.shipped');
      if (published === null) return t('states.draft');
      return changed
        ? t('states.changed', { number: published })
        : t('states.published', { number: published });
    };
    return [
      {
        key: isChinese ? 'titleZh' : 'titleEn',
        of: ['titleZh', 'titleEn'],
        title: t('articleTitle'),
        minWidth: 240,
        essential: true,
        text: titleOf,
        render: (row) => <Link to={paths.article(row.name)}>{titleOf(row)}</Link>,
      },
      { key: 'name', type: 'text', title: t('name'), width: 200, text: ({ name }) => name },
      {
        key: 'origin',
        title: t('origin'),
        width: 150,
        text: ({ origin }) => t(`origins.${origin}`),
        render: ({ origin }) => t(`origins.${origin}`),
      },
      {
        key: 'published',
        of: ['published', 'changed', 'outdated', 'revision'],
        title: t('state'),
        width: 240,
        text: (row) => [stateOf(row), ...(row.outdated ? [t('outdated')] : [])].join(', '),
        render: (row) => (
          <>
            {stateOf(row)} {row.outdated && <LookMark look="warning" label={t('outdated')} />}
          </>
        ),
      },
      {
        key: 'place',
        of: ['place', 'beforeShipped'],
        title: t('place'),
        width: 190,
        text: placeOf,
        render: placeOf,
      },
      { key: 'updatedBy', type: 'text', title: t('author'), width: 120, text: ({ updatedBy }) => updatedBy },
      {
        key: 'updatedAt',
        title: t('updatedAt'),
        width: MOMENT_WIDTH,
        text: ({ updatedAt }) => (updatedAt ? time(updatedAt) : ''),
        render: ({ updatedAt }) => updatedAt && <Moment at={updatedAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 220,
        fixed: 'right',
        essential: true,
        shown: 3,
        actions,
      },
    ];
  }, [t, i18n, actions]);
}

function useActions({ onEdit, onVersions, onPlace }: Openers): (row: ArticleRecord) => RowAction[] {
  const { t } = useTranslation('help');
  const may = useMay(ARTICLES);
  const refresh = useRefresh();
  const confirm = useConfirmDanger();
  const done = async (text: string) => {
    notify('success', text);
    await refresh();
  };
  const publish = async ({ name, revision }: ArticleRecord) => {
    await call(articlePublish({ body: { name, revision } })).catch(reportFailure('submit'));
    await done(t('publishedNotice', { name }));
  };
  const withdraw = ({ name, revision, origin }: ArticleRecord) =>
    confirm({
      title: t('withdrawTitle', { name }),
      content: t(origin === 'own' ? 'withdrawOwn' : 'withdrawEdited'),
      action: t('withdraw'),
      run: async () => {
        await call(articleWithdraw({ body: { name, revision } })).catch(reportFailure('submit'));
        await done(t('withdrawn', { name }));
      },
    });
  const remove = (row: ArticleRecord) =>
    confirmDelete({
      title: t('deleteTitle', { name: row.name }),
      content: t(row.origin === 'own' ? 'deleteOwn' : 'deleteEdited'),
      dependants: null,
      isRecycled: true,
      action: t('delete'),
      mode: 'post',
      run: async (proof) => {
        await call(articleDelete({ body: { name: row.name, ...proof }, ...audited(row) })).catch(
          reportFailure('delete'),
        );
        await done(t('deleted', { name: row.name }));
      },
    });
  return (row) => {
    const isPublic = row.published !== null;
    const found: RowAction[] = [{ key: 'edit', label: t('edit'), run: () => onEdit(row.name) }];
    if (row.revision === 0) return found;
    if (may('operate') && (row.changed || !isPublic))
      found.push({ key: 'publish', label: t('publish'), run: () => void publish(row) });
    found.push({ key: 'versions', label: t('versions'), run: () => onVersions(row) });
    if (may('operate') && row.origin === 'own')
      found.push({ key: 'place', label: t('place'), run: () => onPlace(row) });
    if (may('operate') && isPublic)
      found.push({ key: 'withdraw', label: t('withdraw'), danger: true, run: () => withdraw(row) });
    if (may('delete'))
      found.push({ key: 'delete', label: t('delete'), danger: true, run: () => remove(row) });
    return found;
  };
}
