import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type FileExcerpt, filePreviewExcerpt } from '@/shared/api';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { FileTable } from '@/shared/widgets/file-preview/file-table';

interface FileRecordsProps {
  name: string;
  content: Blob;
  /** Distinguishes files that are chosen one after the other. */
  version: number;
}

/** The first rows of a Parquet file or of a workbook's sheet, as the server reads them. */
export function FileRecords({ version, ...file }: FileRecordsProps) {
  return <Records key={version} version={version} {...file} />;
}

function Records({ name, content, version }: FileRecordsProps) {
  const { t } = useTranslation('file-preview');
  const [sheet, setSheet] = useState('');
  const found = useQuery({
    queryKey: ['file-preview', version, sheet],
    queryFn: ({ signal }) =>
      // The generator knows no bytes: they are sent as they are.
      call(filePreviewExcerpt({ body: content as unknown as string, query: { sheet }, signal })),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (found.error) return <ErrorState error={found.error} onRetry={found.refetch} />;
  if (!found.data) return <LoadingState rows={6} />;
  const { sheets, totalColumns, columns, rows } = found.data;
  return (
    <>
      <div className="file-records">
        {sheets.length > 0 && (
          <Select
            aria-label={t('sheet')}
            value={sheet || found.data.sheet}
            options={sheets.map((value) => ({ value, label: value }))}
            loading={found.isPlaceholderData}
            popupMatchSelectWidth={false}
            onChange={setSheet}
          />
        )}
        <span>{t('notKept')}</span>
        {columns.length < totalColumns && (
          <span>{t('firstColumns', { shown: columns.length, total: totalColumns })}</span>
        )}
      </div>
      {rows.length > 0 ? <Rows name={name} found={found.data} /> : <p role="status">{t('noRows')}</p>}
    </>
  );
}

function Rows({ name, found }: { name: string; found: FileExcerpt }) {
  const { t } = useTranslation('file-preview');
  const isTyped = found.kind === 'parquet';
  const head = [
    t('line'),
    ...found.columns.map((column) =>
      isTyped ? (
        <>
          {column.name} <small>{column.type}</small>
        </>
      ) : (
        column.name
      ),
    ),
  ];
  // An empty cell of a sheet is nothing special; in a Parquet file it differs from an empty text.
  const nothing = isTyped ? <em>NULL</em> : '';
  const rows = found.rows.map(({ line, values }) => [line, ...values.map((value) => value ?? nothing)]);
  return <FileTable name={name} head={head} rows={rows} total={found.totalRows} />;
}
