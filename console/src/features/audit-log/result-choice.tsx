import { useTranslation } from 'react-i18next';
import { ListChoice } from '@/shared/ui/list-choice';

interface Props {
  /** Empty: any. */
  value: string;
  onChange: (value: string) => void;
}

/** The result that a log is narrowed to. */
export function ResultChoice({ value, onChange }: Props) {
  const { t } = useTranslation('audit-log');
  return (
    <ListChoice
      label={t('result')}
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: t('anyResult') },
        { value: 'done', label: t('done') },
        { value: 'failed', label: t('failed') },
        { value: 'begun', label: t('begun') },
      ]}
    />
  );
}
