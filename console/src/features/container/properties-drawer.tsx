import { Form, InputNumber } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  audited,
  type ClusterDetail,
  type ContainerProperty,
  call,
  containerChangeProperties,
  type PropertyModule,
} from '@/shared/api';
import { count } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { useRefresh } from './queries';
import { RestartHint } from './restart-hint';

interface Props {
  container: ClusterDetail;
  module: PropertyModule;
  onClose: () => void;
}

type Values = Record<string, number | null>;

/** Sets the properties of one module; an empty field gives back the default. */
export default function PropertiesDrawer({ container, module, onClose }: Props) {
  const { t } = useTranslation('container');
  const refresh = useRefresh();
  const before: Values = Object.fromEntries(module.properties.map(({ name, value }) => [name, value]));
  const save = async (values: Values) => {
    const properties = module.properties.map(({ name }) => ({ name, value: values[name] ?? null }));
    const body = {
      modifyType: 'update' as const,
      containerId: container.id,
      modulelist: [{ module: module.module, properties }],
    };
    await call(containerChangeProperties({ body, ...audited(before, values) }));
    notify('success', t('propertiesSaved', { title: module.title }));
    await refresh();
  };
  return (
    <FormDrawer<Values>
      asked="modify"
      title={t('editProperties', { title: module.title })}
      open
      initialValues={before}
      onSubmit={save}
      onClose={onClose}
    >
      {module.properties.some(({ restart }) => restart) && (
        <RestartHint services={container.servicesRunning} />
      )}
      {module.properties.map((property) => (
        <PropertyField key={property.name} property={property} />
      ))}
    </FormDrawer>
  );
}

function PropertyField({ property }: { property: ContainerProperty }) {
  const { t } = useTranslation('container');
  const { name, title, help, unit, least, most } = property;
  const range = t('range', { least: count(least), most: count(most) });
  return (
    <Form.Item
      name={name}
      label={title}
      extra={`${help} · ${range}`}
      rules={[{ type: 'number', min: least, max: most, message: range }]}
    >
      <InputNumber
        controls={false}
        precision={0}
        suffix={t(`unit.${unit}`)}
        className="container-number"
        placeholder={property.default === null ? t('hostsOwn') : t('default', { value: property.default })}
      />
    </Form.Item>
  );
}
