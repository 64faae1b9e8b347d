import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface FileTableProps {
  name: string;
  head: readonly ReactNode[];
  rows: readonly (readonly ReactNode[])[];
  /** How many rows the file has. */
  total: number;
}

/** The first rows of a file. */
export function FileTable({ name, head, rows, total }: FileTableProps) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
    <div className="file-table" tabIndex={0}>
      <table aria-label={name}>
        <thead>
          <tr>
            {head.map((title, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file have no other name and never move
              <th key={place} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file have no other name and never move
            <tr key={line}>
              {row.map((cell, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: same as above
                <td key={place}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < total && <p>{t('file.firstRows', { shown: rows.length, total })}</p>}
    </div>
  );
}
