import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form, Input, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import { upTo } from '@/shared/ui/up-to';

const parts = ['displayKey', 'displayValue', 'displayName', 'displayEnName'] as const;
const ownKeys: readonly string[] = ['displayKey', 'displayValue'];

/** The items of a dictionary in their order. `locked`: keys, values and order stay. */
export function DictionaryItems({ locked }: { locked: boolean }) {
  const { t } = useTranslation('parameter');
  return (
    <Form.List name="busDictItems">
      {(fields, { add, remove, move }, { errors }) => (
        <>
          <div className="dictionary-item dictionary-heads" aria-hidden>
            {parts.map((part) => (
              <span key={part}>{t(`dictionary.item.${part}`)}</span>
            ))}
          </div>
          {fields.map(({ key, name }, index) => (
            <div key={key} className="dictionary-item">
              {parts.map((part) => (
                <ItemField key={part} row={name} part={part} disabled={locked && ownKeys.includes(part)} />
              ))}
              {!locked && (
                <Space.Compact>
                  <Button
                    icon={<ArrowUpOutlined />}
                    aria-label={t('dictionary.item.up', { row: index + 1 })}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  />
                  <Button
                    icon={<ArrowDownOutlined />}
                    aria-label={t('dictionary.item.down', { row: index + 1 })}
                    disabled={index === fields.length - 1}
                    onClick={() => move(index, index + 1)}
                  />
                  <Button
                    danger
                    icon={<DeleteOutlined />}
                    aria-label={t('dictionary.item.remove', { row: index + 1 })}
                    onClick={() => remove(name)}
                  />
                </Space.Compact>
              )}
            </div>
          ))}
          {!locked && (
            <Button type="dashed" block icon={<PlusOutlined />} onClick={() => add()}>
              {t('dictionary.item.add')}
            </Button>
          )}
          <Form.ErrorList errors={errors} />
        </>
      )}
    </Form.List>
  );
}

function ItemField({
  row,
  part,
  disabled,
}: {
  row: number;
  part: (typeof parts)[number];
  disabled: boolean;
}) {
  const { t } = useTranslation('parameter');
  const isNeeded = part !== 'displayValue';
  return (
    <Form.Item
      name={[row, part]}
      rules={isNeeded ? [{ required: true, whitespace: true, message: t('required') }] : []}
    >
      <Input
        {...upTo(part === 'displayValue' ? 200 : 100)}
        disabled={disabled}
        aria-label={`${t(`dictionary.item.${part}`)} ${row + 1}`}
      />
    </Form.Item>
  );
}
