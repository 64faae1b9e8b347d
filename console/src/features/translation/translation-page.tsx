import { Alert, Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TextRecord } from '@/shared/api';
import { translationPageList } from '@/shared/api/lists';
import { DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { allTexts, shows, useRefresh, useTexts } from './queries';
import { TextActions } from './text-actions';
import { useColumns } from './use-columns';
import './translation.css';

const TextDrawer = lazy(() => import('./text-drawer'));
const ImportDrawer = lazy(() => import('./import-drawer'));

const defaults = { search: '', show: 'all' };
const keyOf = ({ key }: TextRecord) => key;

/** Every text of console and server in both languages, and the custom ones that replace them. */
export default function TranslationPage() {
  const { t } = useTranslation('translation');
  const state = useTableState();
  const [filter, narrow] = useListFilter('translation', defaults);
  const [open, setOpen] = useState<TextRecord | 'import'>();
  const [isChanged, setChanged] = useState(false);
  const show = shows.find((one) => one === filter.show) ?? 'all';
  const asked = { ...state.request, search: filter.search, show };
  const query = useTexts(asked);
  const refresh = useRefresh();
  const onChanged = async () => {
    setChanged(true);
    await refresh();
  };
  const columns = useColumns(setOpen, onChanged);
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      {isChanged && <ChangedNotice />}
      <DataTable
        label={t('title')}
        name="translation"
        columns={columns}
        list={translationPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allTexts(asked)}
        empty={{ title: t(show === 'custom' && !filter.search ? 'emptyCustom' : 'emptyFiltered') }}
        toolbar={
          <>
            <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
            <ListChoice
              label={t('show')}
              value={show}
              onChange={(chosen) => narrow({ show: chosen })}
              options={shows.map((value) => ({ value, label: t(`shows.${value}`) }))}
            />
            <TextActions onImport={() => setOpen('import')} onChanged={onChanged} />
          </>
        }
      />
      <Suspense fallback={null}>
        {open === 'import' && <ImportDrawer onImported={onChanged} onClose={() => setOpen(undefined)} />}
        {open && open !== 'import' && (
          <TextDrawer text={open} onSaved={onChanged} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
    </>
  );
}

/** Open pages keep their texts, so that nothing that is being filled in is lost. */
function ChangedNotice() {
  const { t } = useTranslation('translation');
  return (
    <Alert
      type="info"
      showIcon
      className="translation-changed"
      title={t('changedHint')}
      action={<Button onClick={() => window.location.reload()}>{t('reload')}</Button>}
    />
  );
}
