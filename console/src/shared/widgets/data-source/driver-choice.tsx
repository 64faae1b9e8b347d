import { AutoComplete } from 'antd';
import { call, driverListNames } from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';

interface Props {
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
}

/** The distributed drivers by name. One that only the host's owner placed can be named, too. */
export default function DriverChoice({ id, value, onChange }: Props) {
  const { data } = useRead({
    queryKey: ['driver', 'names'],
    queryFn: ({ signal }) => call(driverListNames({ body: {}, signal })),
  });
  const options = data?.map(({ name, kind, version }) => ({
    value: name,
    label: [name, kind, version].join(' · '),
  }));
  return (
    <AutoComplete
      id={id}
      value={value}
      onChange={(chosen) => onChange?.(chosen ?? '')}
      options={options}
      showSearch={{ filterOption: (typed, option) => String(option?.label).includes(typed) }}
      allowClear
    />
  );
}
