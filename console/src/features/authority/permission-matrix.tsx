import { Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Offer, OfferedEntry, Permission } from '@/shared/api';
import { ANY, isImplied, isTicked, type Operation, operations, tick } from './permissions';

interface Props {
  offer: Offer;
  /** Given by the form. */
  value?: Permission[];
  onChange?: (permissions: Permission[]) => void;
}

/** Menu entries as rows, operations as columns, a box in each cell. */
export function PermissionMatrix({ offer, value = [], onChange }: Props) {
  const { t } = useTranslation('authority');
  const change = (menuKey: string, operation: Operation | typeof ANY, isOn: boolean) =>
    onChange?.(tick(value, menuKey, operation, isOn));
  const box = (entry: OfferedEntry, operation: Operation) => {
    const implied = isImplied(value, entry, operation);
    return (
      <Checkbox
        aria-label={`${entry.title}: ${t(`operation.${operation}`)}`}
        checked={implied || isTicked(value, entry.menuKey, operation)}
        disabled={implied}
        onChange={({ target }) => change(entry.menuKey, operation, target.checked)}
      />
    );
  };
  const isEverything = isTicked(value, ANY, ANY);
  return (
    <div className="permission-matrix">
      {offer.everything && (
        <Checkbox checked={isEverything} onChange={({ target }) => change(ANY, ANY, target.checked)}>
          {t('role.everything')}
        </Checkbox>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">{t('role.entry')}</th>
            {operations.map((operation) => (
              <th key={operation} scope="col">
                {t(`operation.${operation}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="permission-everywhere">
            <th scope="row">{t('role.everywhere')}</th>
            {operations.map((operation) => (
              <td key={operation}>
                {offer.everywhere.includes(operation) && (
                  <Checkbox
                    aria-label={`${t('role.everywhere')}: ${t(`operation.${operation}`)}`}
                    checked={isEverything || isTicked(value, ANY, operation)}
                    disabled={isEverything}
                    onChange={({ target }) => change(ANY, operation, target.checked)}
                  />
                )}
              </td>
            ))}
          </tr>
          {offer.entries.map((entry) => (
            <tr key={entry.menuKey}>
              <th scope="row" className={entry.parentKey ? 'permission-child' : undefined}>
                {entry.title}
              </th>
              {operations.map((operation) => (
                <td key={operation}>{entry.operations.includes(operation) && box(entry, operation)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
