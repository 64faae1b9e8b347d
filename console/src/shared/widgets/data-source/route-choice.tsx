import { AutoComplete } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, networkRouteListNames } from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';

interface Props {
  id?: string;
  value?: string;
  onChange?: (value: string | undefined) => void;
}

/** The routes of the network configuration by name. One that is not there yet can be named, too. */
export default function RouteChoice({ id, value, onChange }: Props) {
  const { t } = useTranslation('data-source');
  const { data } = useRead({
    queryKey: ['network-route', 'names'],
    queryFn: ({ signal }) => call(networkRouteListNames({ body: {}, signal })),
  });
  const options = data?.map(({ name, kind, description }) => ({
    value: name,
    label: [name, description || t(`routeKind.${kind}`)].join(' · '),
  }));
  return (
    <AutoComplete
      id={id}
      value={value}
      onChange={(chosen) => onChange?.(chosen || undefined)}
      options={options}
      showSearch={{ filterOption: (typed, option) => String(option?.label).includes(typed) }}
      allowClear
      placeholder={t('routeDirect')}
    />
  );
}
