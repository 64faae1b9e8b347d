import { Checkbox, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentImportRecord, ImportedOperationRecord } from '@/shared/api';
import '@/shared/ui/plain-table.css';

interface Props {
  found: DocumentImportRecord;
  /** Paths. */
  chosen: readonly string[];
  onChoose: (chosen: readonly string[]) => void;
}

/** More are narrowed by searching. */
const MOST = 100;

/** Operations that return arrays of records, to choose from. */
export function ImportOperations({ found, chosen, onChoose }: Props) {
  const { t } = useTranslation('data-source');
  const [search, setSearch] = useState('');
  if (found.operations.length === 0) return <p role="status">{t('import.none')}</p>;
  const words = search.toLowerCase().split(/\s+/);
  const matching = found.operations.filter(({ path, summary }) =>
    words.every((word) => `${path} ${summary}`.toLowerCase().includes(word)),
  );
  const toggle = (path: string, isChosen: boolean) =>
    onChoose(isChosen ? [...chosen, path] : chosen.filter((one) => one !== path));
  return (
    <>
      <p>{t('import.found', { title: found.title || 'OpenAPI', interpolation: { escapeValue: false } })}</p>
      <Input.Search
        aria-label={t('import.search')}
        placeholder={t('import.search')}
        allowClear
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <p role="status" className="import-quiet">
        {t(matching.length > MOST ? 'import.firstOf' : 'import.matching', {
          count: matching.length,
          most: MOST,
          chosen: chosen.length,
        })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard */}
      <div className="import-scroll" tabIndex={0}>
        <table className="plain-table" aria-label={t('import.operations')}>
          <thead>
            <tr>
              <th scope="col">{t('import.operation')}</th>
              <th scope="col">{t('import.summary')}</th>
              <th scope="col">{t('import.columns')}</th>
            </tr>
          </thead>
          <tbody>
            {matching.slice(0, MOST).map((operation) => (
              <Line
                key={operation.path}
                operation={operation}
                isChosen={chosen.includes(operation.path)}
                onToggle={toggle}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface LineProps {
  operation: ImportedOperationRecord;
  isChosen: boolean;
  onToggle: (path: string, isChosen: boolean) => void;
}

function Line({ operation: { path, summary, columns }, isChosen, onToggle }: LineProps) {
  return (
    <tr>
      <td>
        <Checkbox checked={isChosen} onChange={({ target }) => onToggle(path, target.checked)}>
          {path}
        </Checkbox>
      </td>
      <td>{summary}</td>
      <td className="tabular">{columns}</td>
    </tr>
  );
}
