import { MinusCircleOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form, Input, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  audited,
  type ClusterDetail,
  call,
  containerEditProperties,
  type KafkaPropertiesRecord,
  type KafkaProperty,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { useRefresh } from './queries';
import { RestartHint } from './restart-hint';

interface Props {
  container: ClusterDetail;
  kafka: KafkaPropertiesRecord;
  onClose: () => void;
}

interface Values {
  properties?: KafkaProperty[];
}

/** Sets the properties of a container's connections to Kafka: of those that write, or of those that read. */
export default function KafkaDrawer({ container, kafka, onClose }: Props) {
  const { t } = useTranslation('container');
  const refresh = useRefresh();
  const title = t(`kafka.${kafka.kafkaType}`);
  const secrets = new Set(kafka.properties.filter(({ secret }) => secret).map(({ name }) => name));
  const save = async ({ properties = [] }: Values) => {
    const named = properties.map(({ name, value }) => ({
      name: name.trim(),
      // A secret that is left empty stays as it is.
      value: value || (secrets.has(name.trim()) ? null : ''),
    }));
    const body = { containerid: container.id, kafkaType: kafka.kafkaType, properties: named };
    const names = named.map(({ name }) => name);
    await call(
      containerEditProperties({
        body,
        ...audited(
          kafka.properties.map(({ name }) => name),
          names,
        ),
      }),
    );
    notify('success', t('propertiesSaved', { title }));
    await refresh();
  };
  return (
    <FormDrawer<Values>
      asked="modify"
      title={t('editProperties', { title })}
      open
      initialValues={{ properties: kafka.properties }}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('kafka.hint')}</p>
      <RestartHint services={container.servicesRunning} />
      <Form.List name="properties">
        {(fields, { add, remove }, { errors }) => (
          <>
            {fields.map(({ key, name }) => (
              <PropertyFields
                key={key}
                index={name}
                isKept={secrets.has(kafka.properties[name]?.name ?? '')}
                onRemove={() => remove(name)}
              />
            ))}
            <Button icon={<PlusOutlined />} onClick={() => add({ name: '', value: '' })}>
              {t('kafka.add')}
            </Button>
            <Form.ErrorList errors={errors} />
          </>
        )}
      </Form.List>
    </FormDrawer>
  );
}

interface FieldsProps {
  index: number;
  /** Its value is a secret that the server never returns. */
  isKept: boolean;
  onRemove: () => void;
}

function PropertyFields({ index, isKept, onRemove }: FieldsProps) {
  const { t } = useTranslation('container');
  return (
    <Space align="start" className="container-kafka">
      <Form.Item
        name={[index, 'name']}
        rules={[{ required: true, pattern: /^\s*[a-z0-9._]+\s*$/, message: t('kafka.nameFault') }]}
      >
        <Input aria-label={t('property')} placeholder="linger.ms" {...upTo(100)} spellCheck={false} />
      </Form.Item>
      <Form.Item name={[index, 'value']}>
        <Input
          aria-label={t('value')}
          placeholder={isKept ? t('kafka.kept') : t('value')}
          {...upTo(4000)}
          autoComplete="off"
          spellCheck={false}
        />
      </Form.Item>
      <Button type="text" icon={<MinusCircleOutlined />} aria-label={t('kafka.remove')} onClick={onRemove} />
    </Space>
  );
}
