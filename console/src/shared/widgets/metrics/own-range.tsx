import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';

interface OwnRangeProps {
  from: number;
  to: number;
  onChange: (from: number, to: number) => void;
}

/** Both ends of a range of the viewer's own; nothing later than now can be chosen. */
export default function OwnRange({ from, to, onChange }: OwnRangeProps) {
  const { t } = useTranslation('metric');
  return (
    <DatePicker.RangePicker
      showTime
      allowClear={false}
      value={[dayjs(from), dayjs(to)]}
      placeholder={[t('range.from'), t('range.to')]}
      disabledDate={(day) => day.isAfter(dayjs())}
      onChange={(chosen) => {
        if (chosen?.[0] && chosen[1]) onChange(chosen[0].valueOf(), chosen[1].valueOf());
      }}
    />
  );
}
