import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '@/shared/hooks/use-may';
import { ContainerSelect } from '../selectors';
import { type LogFilter, type LogScope, useLogSources } from './queries';

interface Props {
  scope: LogScope;
  filter: LogFilter;
  onChange: (change: Partial<LogFilter>) => void;
}

/** Whose logs are searched: those of a container, of one service or agent; none: all. */
export default function LogSourceChoice(props: Props) {
  return (
    <>
      {!props.scope.linkId && <ContainerChoice {...props} />}
      <SourceChoice {...props} />
    </>
  );
}

function ContainerChoice({ filter, onChange }: Props) {
  const may = useMay('container');
  if (!may('view')) return null;
  return (
    <ContainerSelect
      value={filter.container || undefined}
      // A service belongs to one container.
      onChange={(container) => onChange({ container: container ?? '', source: '' })}
    />
  );
}

/** One service or agent whose log is searched, found by its name; none: all. */
function SourceChoice({ scope, filter, onChange }: Props) {
  const { t } = useTranslation('logs');
  const [search, setSearch] = useState('');
  const { data, isFetching } = useLogSources(scope, filter.container, search);
  const options = (data?.records ?? []).map(({ id, kind, name }) => ({
    value: id,
    label: kind === 'agent' ? t('agentOn', { host: name }) : name,
  }));
  const isListed = options.some(({ value }) => value === filter.source);
  return (
    <Select<string>
      aria-label={t('source')}
      className="log-source"
      value={filter.source}
      onChange={(source) => onChange({ source: source ?? '' })}
      showSearch={{ filterOption: false, onSearch: setSearch }}
      loading={isFetching}
      options={[
        { value: '', label: t('anySource') },
        // What was chosen may be on another page of the list.
        ...(filter.source && !isListed ? [{ value: filter.source, label: t('oneSource') }] : []),
        ...options,
      ]}
      popupMatchSelectWidth={false}
    />
  );
}
