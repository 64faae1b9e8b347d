import { Input, InputNumber, Select, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import { upTo } from '@/shared/ui/up-to';
import type { Mask } from './draft';

const MAX_KEPT = 1000;
const methods = ['none', 'hash', 'partial', 'fixed'] as const;
type Method = (typeof methods)[number];

const begun: Record<Method, Mask | undefined> = {
  none: undefined,
  hash: { method: 'hash' },
  partial: { method: 'partial', first: 1, last: 1 },
  fixed: { method: 'fixed', value: '' },
};

interface Props {
  column: string;
  /** Keys can only be hashed: everything else might make two rows one. */
  isKey: boolean;
  disabled: boolean;
  mask: Mask | undefined;
  onChange: (mask: Mask | undefined) => void;
}

/** How a column's values are hidden in the target, if they are. */
export function MaskField({ column, isKey, disabled, mask, onChange }: Props) {
  const { t } = useTranslation('sync-link');
  return (
    <Space size={4} wrap>
      <Select<Method>
        value={mask?.method ?? 'none'}
        disabled={disabled}
        aria-label={t('columns.maskOf', { name: column })}
        popupMatchSelectWidth={false}
        onChange={(method) => onChange(begun[method])}
        options={methods
          .filter((method) => !isKey || method === 'none' || method === 'hash')
          .map((value) => ({ value, label: t(`masks.${value}`) }))}
      />
      {mask?.method === 'partial' &&
        (['first', 'last'] as const).map((end) => (
          <InputNumber
            key={end}
            className="wizard-kept"
            min={0}
            max={MAX_KEPT}
            precision={0}
            controls={false}
            value={mask[end]}
            aria-label={t(`masks.${end}Of`, { name: column })}
            title={t(`masks.${end}`)}
            onChange={(count) => onChange({ ...mask, [end]: count ?? 0 })}
          />
        ))}
      {mask?.method === 'fixed' && (
        <Input
          className="wizard-fixed"
          value={mask.value}
          {...upTo(4000)}
          aria-label={t('masks.valueOf', { name: column })}
          onChange={({ target }) => onChange({ ...mask, value: target.value })}
        />
      )}
    </Space>
  );
}
