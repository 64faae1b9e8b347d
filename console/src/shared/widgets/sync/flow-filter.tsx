import { useTranslation } from 'react-i18next';
import { useListFilter } from '@/shared/ui/data-table';
import { ListState } from '@/shared/ui/list-state';
import { linkStates } from './link-states';

/** What narrows a list of links or tasks. An empty state stands for every state. */
const defaults = { search: '', state: '' };

/** As `useListFilter`, and whether anything is narrowed. */
export function useFlowFilter(table: string) {
  const [filter, narrow] = useListFilter(table, defaults);
  return { filter, narrow, isFiltered: filter.search !== '' || filter.state !== '' };
}

interface Props extends Pick<ReturnType<typeof useFlowFilter>, 'filter' | 'narrow'> {
  /** What is searched in. */
  search: string;
}

export function FlowFilter({ search, filter, narrow }: Props) {
  const { t } = useTranslation('sync');
  const words = { search, state: t('flow.stateFilter'), any: t('flow.anyState') };
  return <ListState words={words} states={linkStates} filter={filter} narrow={narrow} />;
}
