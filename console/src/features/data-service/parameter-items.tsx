import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Checkbox, Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { upTo } from '@/shared/ui/up-to';

const types = ['string', 'integer', 'decimal', 'date', 'timestamp', 'boolean'] as const;
const fresh = { type: 'string', required: true, many: false };

/** The parameters of an API, a line each. */
export function ParameterItems() {
  const { t } = useTranslation('data-service');
  return (
    <Form.List name="parameters">
      {(fields, { add, remove }, { errors }) => (
        <fieldset className="data-service-parameters">
          <legend>{t('parameter.title')}</legend>
          {fields.map(({ key, name }) => (
            <div key={key} className="data-service-parameter">
              <Form.Item
                name={[name, 'name']}
                rules={[
                  { required: true, pattern: /^[A-Za-z][A-Za-z0-9_]{0,62}$/, message: t('parameter.fault') },
                ]}
              >
                <Input aria-label={t('parameter.name')} placeholder={t('parameter.name')} {...upTo(63)} />
              </Form.Item>
              <Form.Item name={[name, 'type']}>
                <Select
                  aria-label={t('parameter.type')}
                  options={types.map((value) => ({ value, label: t(`parameter.types.${value}`) }))}
                />
              </Form.Item>
              <Form.Item name={[name, 'many']} valuePropName="checked">
                <Checkbox>{t('parameter.many')}</Checkbox>
              </Form.Item>
              <Form.Item name={[name, 'required']} valuePropName="checked">
                <Checkbox>{t('parameter.required')}</Checkbox>
              </Form.Item>
              <Form.Item name={[name, 'default']} normalize={(text: string) => text || null}>
                <Input
                  aria-label={t('parameter.default')}
                  placeholder={t('parameter.default')}
                  {...upTo(4000)}
                />
              </Form.Item>
              <Button
                type="text"
                icon={<DeleteOutlined />}
                aria-label={t('parameter.remove')}
                onClick={() => remove(name)}
              />
            </div>
          ))}
          <Button type="dashed" icon={<PlusOutlined />} onClick={() => add(fresh)}>
            {t('parameter.add')}
          </Button>
          <Form.ErrorList errors={errors} />
        </fieldset>
      )}
    </Form.List>
  );
}
