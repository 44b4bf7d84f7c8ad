package Shop::Cart;
use Mojo::Base -base, -signatures;

use constant LIMIT => 10;
use constant {
  RED   => 1,
  GREEN => 2,
};

our $VERSION = '1.0';
has items => sub { [] };

# sub commented { }
sub new {
  my ($class, %args) = @_;
  my $text = q{sub written { }};
  my $re = qr/sub in_a_regex {/;
  $text =~ s/sub x/sub y {/g;
  return bless {%args, s => 1, y => 2}, $class;
}

sub total ($self, $rate = 1) {
  my $n = $#{$self->items};
  return <<"EOT" . lc $n;
sub in_a_heredoc {
EOT
}

sub announced;

my sub hidden { 1 }

package Shop::Item {
  sub price { $_[0]{price} / 2 }
}

=head1 NAME

sub in_pod { }

=cut

sub after_pod { return }

__END__
sub after_end { }
